//! A line chart as SVG text: axes, ticks, a legend, nothing else.

use std::fmt::Write as _;

/// A named line.
pub(crate) struct Series {
    pub(crate) name: String,
    /// Lines of the same colour number look the same in every chart.
    pub(crate) colour: usize,
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 480.0;
/// Left, top, right, bottom of the plot.
const PLOT: [f64; 4] = [80.0, 50.0, 680.0, 420.0];
/// Okabe and Ito's colours, and black.
const COLOURS: [&str; 8] =
    ["#000000", "#d55e00", "#56b4e9", "#009e73", "#cc79a7", "#e69f00", "#0072b2", "#999999"];

/// Draws lines over a common x axis; the y axis begins at zero.
pub(crate) fn line_chart(title: &str, x_name: &str, y_name: &str, lines: &[Series]) -> String {
    let points = || lines.iter().flat_map(|line| &line.points);
    let top_x = points().map(|p| p.0).fold(1.0, f64::max);
    let (step_x, step_y) = (step(top_x), step(points().map(|p| p.1).fold(1e-9, f64::max)));
    let top_y = points().map(|p| p.1).fold(1e-9, f64::max);
    let (end_x, end_y) = ((top_x / step_x).ceil() * step_x, (top_y / step_y).ceil() * step_y);
    let [left, top, right, bottom] = PLOT;
    let x = |value: f64| left + value / end_x * (right - left);
    let y = |value: f64| bottom - value / end_y * (bottom - top);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{left}\" y=\"28\" font-size=\"17\">{title}</text>\n\
         <text x=\"{}\" y=\"462\" text-anchor=\"middle\">{x_name}</text>\n\
         <text transform=\"translate(20 {}) rotate(-90)\" text-anchor=\"middle\">{y_name}</text>\n",
        (left + right) / 2.0,
        (top + bottom) / 2.0
    );
    for i in 0..=(end_x / step_x).round() as u32 {
        let value = f64::from(i) * step_x;
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"440\" text-anchor=\"middle\">{value}</text>",
            x(value)
        );
    }
    for i in 0..=(end_y / step_y).round() as u32 {
        let value = f64::from(i) * step_y;
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {0:.1}H{right}\" stroke=\"#ddd\"/>\
             <text x=\"72\" y=\"{1:.1}\" text-anchor=\"end\">{2}</text>",
            y(value),
            y(value) + 4.0,
            (value * 1e6).round() / 1e6
        );
    }
    for (i, line) in lines.iter().enumerate() {
        let colour = COLOURS[line.colour % COLOURS.len()];
        // Lines that lie on each other stay visible.
        let dash = if line.colour % 2 == 1 { "8 5" } else { "none" };
        let at: Vec<String> =
            line.points.iter().map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1))).collect();
        let legend = top + 22.0 * i as f64;
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" \
             stroke-dasharray=\"{dash}\"/>\
             <path d=\"M700 {legend}h24\" stroke=\"{colour}\" stroke-width=\"3\" \
             stroke-dasharray=\"{dash}\"/>\
             <text x=\"732\" y=\"{}\">{}</text>",
            at.join(" "),
            legend + 4.0,
            line.name
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// A round distance between ticks that gives five to ten of them.
fn step(top: f64) -> f64 {
    let power = 10f64.powf(top.log10().floor() - 1.0);
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0].map(|s| s * power);
    steps.into_iter().find(|step| top / step <= 10.0).unwrap_or(top)
}
