//! Plots as SVG for a page: lines, dots and stacked bars.
//!
//! Text and axes take the page's colour, series the page's variables `--s0` to `--s7`, so a
//! plot is readable on light and dark ground. Every series also has a dash or mark of its
//! own, for eyes and printers that see no colours.

mod axis;

use std::fmt::Write as _;

pub use axis::Axis;

/// A named row of points.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Its name in the legend; none for a series that needs no word.
    pub name: String,
    /// Number of its colour; the same number looks the same in every plot.
    pub colour: usize,
    /// Where its points are.
    pub points: Vec<(f64, f64)>,
    /// A word at each point; may be empty.
    pub words: Vec<String>,
    /// Among dots: whether the points are joined by a line instead.
    pub joined: bool,
}

/// How a series looks in the legend.
#[derive(Clone, Copy)]
enum Key {
    Line,
    Mark,
    Bar,
}

/// A plot of series over common axes.
#[derive(Clone, Debug)]
pub struct Plot {
    /// What is seen, for those who cannot see it.
    pub title: String,
    /// Across.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
}

const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 332.0;
/// Left, top, right, bottom of the field inside the axes.
const FIELD: [f64; 4] = [56.0, 14.0, 428.0, 286.0];
const DASHES: [&str; 8] = ["none", "7 3", "2 3", "9 3 2 3", "none", "4 2", "1 2", "12 4"];
const COLOURS: usize = 8;

impl Plot {
    /// Every series as a line.
    pub fn lines(&self) -> String {
        let (x, y) = self.fitted(None);
        self.framed(&x, &y, Key::Line, |svg| {
            for series in &self.series {
                svg.push_str(&line(series, &x, &y));
            }
        })
    }

    /// Every series as dots, each with its word.
    pub fn dots(&self) -> String {
        let (x, y) = self.fitted(None);
        let dots = self.series.iter().filter(|s| !s.joined).flat_map(|s| &s.points);
        let dots = dots.map(|&(px, py)| (to_x(&x, px), to_y(&y, py)));
        let mut taken: Vec<[f64; 4]> =
            dots.map(|(cx, cy)| [cx - 5.0, cy - 5.0, cx + 5.0, cy + 5.0]).collect();
        self.framed(&x, &y, Key::Mark, |svg| {
            for series in &self.series {
                if series.joined {
                    svg.push_str(&line(series, &x, &y));
                    continue;
                }
                for (i, &(px, py)) in series.points.iter().enumerate() {
                    let (cx, cy) = (to_x(&x, px), to_y(&y, py));
                    let word = series.words.get(i).map_or("", String::as_str);
                    svg.push_str(&mark(series.colour, cx, cy, word));
                    if let Some((tx, ty, anchor)) = place_word(word, cx, cy, &mut taken) {
                        let _ = write!(
                            svg,
                            r#"<text x="{tx:.1}" y="{ty:.1}" text-anchor="{anchor}" font-size="12">{}</text>"#,
                            escape(word)
                        );
                    }
                }
            }
        })
    }

    /// Dots over a line on which both axes are equal: above it the ordinate is larger.
    pub fn dots_on_diagonal(&self) -> String {
        let (x, y) = self.fitted(None);
        let (low, high) = (x.low.min(y.low), x.high.max(y.high));
        let (x, y) = (Axis { low, high, ..x }, Axis { low, high, ..y });
        let line = format!(
            r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="currentColor" stroke-opacity="0.5" stroke-dasharray="3 3"/>"#,
            to_x(&x, low),
            to_y(&y, low),
            to_x(&x, high),
            to_y(&y, high)
        );
        self.framed(&x, &y, Key::Mark, |svg| {
            svg.push_str(&line);
            for series in &self.series {
                for (i, &(px, py)) in series.points.iter().enumerate() {
                    let word = series.words.get(i).map_or("", String::as_str);
                    svg.push_str(&mark(series.colour, to_x(&x, px), to_y(&y, py), word));
                }
            }
        })
    }

    /// Every series as a layer of bars that sum up to 100.
    pub fn stacked(&self) -> String {
        let (x, y) = self.fitted(Some(100.0));
        let xs: Vec<f64> =
            self.series.first().map_or(Vec::new(), |s| s.points.iter().map(|p| p.0).collect());
        let step = match xs[..] {
            [a, b, ..] => to_x(&x, b) - to_x(&x, a),
            _ => 40.0,
        };
        self.framed(&x, &y, Key::Bar, |svg| {
            for (i, &at) in xs.iter().enumerate() {
                let mut below = 0.0;
                for series in &self.series {
                    let Some(&(_, value)) = series.points.get(i) else { continue };
                    let (top, bottom) = (to_y(&y, below + value), to_y(&y, below));
                    let _ = write!(
                        svg,
                        r#"<rect x="{:.1}" y="{top:.1}" width="{:.1}" height="{:.1}" fill="{}"/>"#,
                        to_x(&x, at) - 0.4 * step,
                        0.8 * step,
                        bottom - top,
                        colour(series.colour)
                    );
                    below += value;
                }
            }
        })
    }

    /// The axes over all points.
    fn fitted(&self, top: Option<f64>) -> (Axis, Axis) {
        let points = || self.series.iter().flat_map(|s| &s.points);
        let y = self.y.fitted(points().map(|p| p.1));
        let y = top.map_or(y.clone(), |high| Axis { low: 0.0, high, ..y });
        (self.x.fitted(points().map(|p| p.0)), y)
    }

    /// Legend, axes and grid lines around what `draw` draws.
    fn framed(&self, x: &Axis, y: &Axis, key: Key, draw: impl FnOnce(&mut String)) -> String {
        let [left, top, right, bottom] = FIELD;
        let named: Vec<&Series> = self.series.iter().filter(|s| !s.name.is_empty()).collect();
        let rows = legend_rows(&named);
        let height = HEIGHT + 18.0 * rows.len() as f64;
        let mut svg = format!(
            r#"<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{}" font-size="13" fill="currentColor">"#,
            escape(&self.title)
        );
        for tick in y.ticks() {
            let at = to_y(y, tick);
            let _ = write!(
                svg,
                r#"<line x1="{left}" x2="{right}" y1="{at:.1}" y2="{at:.1}" stroke="currentColor" stroke-opacity="0.15"/><text x="{}" y="{:.1}" text-anchor="end">{}</text>"#,
                left - 6.0,
                at + 4.0,
                axis::short(tick)
            );
        }
        for tick in x.ticks() {
            let at = to_x(x, tick);
            let _ = write!(
                svg,
                r#"<line x1="{at:.1}" x2="{at:.1}" y1="{bottom}" y2="{}" stroke="currentColor"/><text x="{at:.1}" y="{}" text-anchor="middle">{}</text>"#,
                bottom + 4.0,
                bottom + 17.0,
                axis::short(tick)
            );
        }
        let _ = write!(
            svg,
            r#"<line x1="{left}" x2="{right}" y1="{bottom}" y2="{bottom}" stroke="currentColor"/><text x="{}" y="{}" text-anchor="middle">{}</text><text transform="translate(12 {}) rotate(-90)" text-anchor="middle">{}</text>"#,
            (left + right) / 2.0,
            bottom + 36.0,
            escape(&x.label),
            (top + bottom) / 2.0,
            escape(&y.label)
        );
        draw(&mut svg);
        for (n, row) in rows.iter().enumerate() {
            let line = HEIGHT + 10.0 + 18.0 * n as f64;
            for &(at, series) in row {
                svg.push_str(&sample(key, series, at, line));
                let _ = write!(
                    svg,
                    r#"<text x="{}" y="{}">{}</text>"#,
                    at + 27.0,
                    line + 4.0,
                    escape(&series.name)
                );
            }
        }
        svg + "</svg>"
    }
}

/// A piece of a series for the legend, 22 wide.
fn sample(key: Key, series: &Series, at: f64, line: f64) -> String {
    let fill = colour(series.colour);
    match key {
        Key::Mark if !series.joined => mark(series.colour, at + 15.0, line, ""),
        Key::Bar => format!(
            r#"<rect x="{}" y="{}" width="14" height="10" fill="{fill}"/>"#,
            at + 8.0,
            line - 5.0
        ),
        _ => format!(
            r#"<line x1="{at}" x2="{}" y1="{line}" y2="{line}" stroke="{fill}" stroke-width="4" stroke-dasharray="{}"/>"#,
            at + 22.0,
            dash(series.colour)
        ),
    }
}

/// The legend in rows: every series with the place where it begins.
fn legend_rows<'a>(named: &[&'a Series]) -> Vec<Vec<(f64, &'a Series)>> {
    let mut rows: Vec<Vec<(f64, &Series)>> = Vec::new();
    let mut at = f64::INFINITY;
    for &series in named {
        let wide = 46.0 + 7.4 * series.name.chars().count() as f64;
        if at + wide > WIDTH {
            rows.push(Vec::new());
            at = FIELD[0];
        }
        if let Some(row) = rows.last_mut() {
            row.push((at, series));
        }
        at += wide;
    }
    rows
}

fn to_x(axis: &Axis, value: f64) -> f64 {
    FIELD[0] + axis.share(value) * (FIELD[2] - FIELD[0])
}

fn to_y(axis: &Axis, value: f64) -> f64 {
    FIELD[3] - axis.share(value) * (FIELD[3] - FIELD[1])
}

/// The dashes of a series; where colours come again, dashes do not.
fn dash(number: usize) -> &'static str {
    DASHES[(number + 3 * (number / COLOURS)) % DASHES.len()]
}

fn colour(number: usize) -> String {
    format!("var(--s{})", number % COLOURS)
}

fn line(series: &Series, x: &Axis, y: &Axis) -> String {
    let at = |&(px, py): &(f64, f64)| format!("{:.1},{:.1}", to_x(x, px), to_y(y, py));
    let points: Vec<String> = series.points.iter().map(at).collect();
    format!(
        r#"<polyline points="{}" fill="none" stroke="{}" stroke-width="2" stroke-dasharray="{}"/>"#,
        points.join(" "),
        colour(series.colour),
        dash(series.colour)
    )
}

/// A round dot for even colours, a square for odd ones.
fn mark(number: usize, x: f64, y: f64, word: &str) -> String {
    let fill = colour(number);
    let title =
        if word.is_empty() { String::new() } else { format!("<title>{}</title>", escape(word)) };
    if number.is_multiple_of(2) {
        format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="{fill}">{title}</circle>"#)
    } else {
        let (x, y) = (x - 3.5, y - 3.5);
        format!(r#"<rect x="{x:.1}" y="{y:.1}" width="7" height="7" fill="{fill}">{title}</rect>"#)
    }
}

/// A place for a word close to its dot where neither dot nor word stands. Where there is none,
/// the word only shows under the pointer.
fn place_word(
    word: &str,
    x: f64,
    y: f64,
    taken: &mut Vec<[f64; 4]>,
) -> Option<(f64, f64, &'static str)> {
    if word.is_empty() {
        return None;
    }
    let wide = 6.6 * word.chars().count() as f64;
    let beside = [4.0, -4.0, 12.0].map(|shift| [(7.0, shift, "start"), (-7.0, shift, "end")]);
    let over = [(0.0, -8.0, "middle"), (0.0, 17.0, "middle")];
    let corners = [-9.0, 17.0].map(|shift| [(2.0, shift, "start"), (-2.0, shift, "end")]);
    let places = beside.into_iter().flatten().chain(over).chain(corners.into_iter().flatten());
    for (dx, dy, anchor) in places {
        let begin = match anchor {
            "start" => x + dx,
            "end" => x + dx - wide,
            _ => x - wide / 2.0,
        };
        let area = [begin, y + dy - 10.0, begin + wide, y + dy + 2.0];
        let free = taken
            .iter()
            .all(|t| area[2] < t[0] || area[0] > t[2] || area[3] < t[1] || area[1] > t[3]);
        if free && area[0] > FIELD[0] && area[2] < WIDTH && area[1] > 0.0 && area[3] < FIELD[3] {
            taken.push(area);
            return Some((x + dx, y + dy, anchor));
        }
    }
    None
}

/// The power of the abscissa that fits best: the slope of the line through the logarithms, by least squares.
/// None for fewer than two points or figures that are not above 0.
pub fn power(points: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let points: Vec<(f64, f64)> = points.map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let over: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let under: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    Some(over / under).filter(|slope| slope.is_finite())
}

/// Text as it may stand in HTML and SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
