//! Small charts as SVG, and the same numbers as CSV.

use std::fmt::Write as _;

/// One line, or one layer of a stack.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// A chart; all series share their x values.
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) series: Vec<Series>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 66.0;
const BOTTOM: f64 = 56.0;
/// Colours that colour-blind people tell apart (Okabe and Ito), with a dash each.
const STYLES: [(&str, &str); 4] =
    [("#0072b2", ""), ("#d55e00", "7 3"), ("#009e73", "2 3"), ("#cc79a7", "9 3 2 3")];

impl Chart {
    /// The numbers: one row per x.
    pub(crate) fn csv(&self) -> String {
        let mut csv = self.x.replace(' ', "_");
        self.series.iter().for_each(|s| csv += &format!(",{}", s.name.replace([',', ' '], "_")));
        csv.push('\n');
        for (i, &(x, _)) in self.series[0].points.iter().enumerate() {
            csv += &x.to_string();
            self.series.iter().for_each(|s| csv += &format!(",{:.4}", s.points[i].1));
            csv.push('\n');
        }
        csv
    }

    /// Every series as a line.
    pub(crate) fn lines(&self) -> String {
        let points = self.series.iter().flat_map(|s| &s.points);
        let top = points.map(|p| p.1).fold(0.0, f64::max);
        let top = top * 1.05;
        let mut svg = self.frame(top, &STYLES.map(|(_, dash)| dash));
        let axes = self.axes(top);
        for (series, (colour, dash)) in self.series.iter().zip(STYLES) {
            let place = |&(x, y): &(f64, f64)| format!("{:.1},{:.1}", axes.x(x), axes.y(y));
            let path: Vec<String> = series.points.iter().map(place).collect();
            let _ = writeln!(
                svg,
                r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="2.2" stroke-dasharray="{dash}"/>"#,
                path.join(" ")
            );
            for &(x, y) in &series.points {
                let (x, y) = (axes.x(x), axes.y(y));
                let _ =
                    writeln!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="2.4" fill="{colour}"/>"#);
            }
        }
        svg + "</svg>\n"
    }

    /// Every series as a layer of bars that sum up to 100.
    pub(crate) fn stacked(&self) -> String {
        let mut svg = self.frame(100.0, &[""; 4]);
        let axes = self.axes(100.0);
        let xs: Vec<f64> = self.series[0].points.iter().map(|p| p.0).collect();
        let step = if xs.len() > 1 { axes.x(xs[1]) - axes.x(xs[0]) } else { 40.0 };
        for (i, &x) in xs.iter().enumerate() {
            let mut below = 0.0;
            for (series, (colour, _)) in self.series.iter().zip(STYLES) {
                let value = series.points[i].1;
                let (top, bottom) = (axes.y(below + value), axes.y(below));
                let _ = writeln!(
                    svg,
                    r#"<rect x="{:.1}" y="{top:.1}" width="{:.1}" height="{:.1}" fill="{colour}"/>"#,
                    axes.x(x) - 0.4 * step,
                    0.8 * step,
                    bottom - top
                );
                below += value;
            }
        }
        svg + "</svg>\n"
    }

    fn axes(&self, top: f64) -> Axes {
        let xs = || self.series.iter().flat_map(|s| s.points.iter().map(|p| p.0));
        let gap =
            self.series[0].points.windows(2).map(|w| w[1].0 - w[0].0).fold(f64::MAX, f64::min);
        let right = xs().fold(0.0, f64::max) + if gap < f64::MAX { gap / 2.0 } else { 1.0 };
        Axes { right, top: if top > 0.0 { top } else { 1.0 } }
    }

    /// Title, legend, axes and grid lines.
    fn frame(&self, top: f64, dashes: &[&str; 4]) -> String {
        let axes = self.axes(top);
        let mut svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" fill="#222">
<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>
<text x="{LEFT}" y="24" font-size="16" font-weight="bold">{}</text>
<text x="{:.1}" y="{:.1}" text-anchor="middle">{}</text>
<text transform="translate(18 {:.1}) rotate(-90)" text-anchor="middle">{}</text>
"##,
            self.title,
            (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - 14.0,
            self.x,
            (TOP + HEIGHT - BOTTOM) / 2.0,
            self.y
        );
        for tick in ticks(axes.top) {
            let y = axes.y(tick);
            let _ = writeln!(
                svg,
                r##"<line x1="{LEFT}" x2="{}" y1="{y:.1}" y2="{y:.1}" stroke="#ddd"/><text x="{}" y="{:.1}" text-anchor="end">{tick}</text>"##,
                WIDTH - RIGHT,
                LEFT - 8.0,
                y + 4.5
            );
        }
        for tick in ticks(axes.right) {
            let x = axes.x(tick);
            let (low, label) = (HEIGHT - BOTTOM, HEIGHT - BOTTOM + 20.0);
            let _ = writeln!(
                svg,
                r##"<line x1="{x:.1}" x2="{x:.1}" y1="{low}" y2="{}" stroke="#222"/><text x="{x:.1}" y="{label}" text-anchor="middle">{tick}</text>"##,
                low + 5.0
            );
        }
        let (low, end) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let _ = writeln!(
            svg,
            r##"<line x1="{LEFT}" x2="{end}" y1="{low}" y2="{low}" stroke="#222"/>"##
        );
        let mut at = LEFT;
        for ((series, (colour, _)), dash) in self.series.iter().zip(STYLES).zip(dashes) {
            let _ = writeln!(
                svg,
                r#"<line x1="{at}" x2="{}" y1="46" y2="46" stroke="{colour}" stroke-width="4" stroke-dasharray="{dash}"/><text x="{}" y="50">{}</text>"#,
                at + 30.0,
                at + 36.0,
                series.name
            );
            at += 60.0 + 7.5 * series.name.len() as f64;
        }
        svg
    }
}

struct Axes {
    right: f64,
    top: f64,
}

impl Axes {
    fn x(&self, value: f64) -> f64 {
        LEFT + value / self.right * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - value / self.top * (HEIGHT - TOP - BOTTOM)
    }
}

/// Round numbers from 0 to at most `end`, about six of them.
fn ticks(end: f64) -> Vec<f64> {
    let rough = end / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|s| s * power).into_iter().find(|&s| s >= rough);
    let step = step.unwrap_or(power);
    let round = |i: usize| (i as f64 * step * 1e6).round() / 1e6;
    (0..).map(round).take_while(|&t| t <= end * 1.0001).collect()
}
