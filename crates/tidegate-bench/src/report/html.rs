//! Pieces of the page: tables, figures, numbers.

use std::fmt::Write as _;

use crate::plot::escape;

/// A part of the page.
pub(super) struct Section {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) html: String,
}

/// A table that is shown on the page and in documents.
pub(super) struct Sheet {
    pub(super) header: Vec<&'static str>,
    pub(super) lines: Vec<Vec<String>>,
}

impl Sheet {
    /// For the page.
    pub(super) fn html(&self) -> String {
        table("", &self.header, &self.lines)
    }

    /// For documents.
    pub(super) fn markdown(&self) -> String {
        let line = |cells: &[&str]| format!("| {} |\n", cells.join(" | "));
        let mut text = line(&self.header) + &"|---".repeat(self.header.len()) + "|\n";
        for cells in &self.lines {
            text += &line(&cells.iter().map(String::as_str).collect::<Vec<_>>());
        }
        text
    }
}

/// A table; cells that begin like a number stand to the right.
pub(super) fn table(caption: &str, header: &[&str], rows: &[Vec<String>]) -> String {
    laid_out(caption, header, rows, is_number)
}

/// A table of words, also where they begin with a number.
pub(super) fn text_table(header: &[&str], rows: &[Vec<String>]) -> String {
    laid_out("", header, rows, |_| false)
}

fn laid_out(
    caption: &str,
    header: &[&str],
    rows: &[Vec<String>],
    is_number: fn(&str) -> bool,
) -> String {
    let mut html = String::from("<div class=\"wide\"><table>");
    if !caption.is_empty() {
        let _ = write!(html, "<caption>{}</caption>", escape(caption));
    }
    html += "<thead><tr>";
    for (i, name) in header.iter().enumerate() {
        let number = |row: &Vec<String>| row.get(i).is_some_and(|cell| is_number(cell));
        let class = if i > 0 && rows.iter().any(number) { " class=\"n\"" } else { "" };
        let _ = write!(html, "<th scope=\"col\"{class}>{}</th>", escape(name));
    }
    html += "</tr></thead><tbody>";
    for row in rows {
        html += "<tr>";
        for (i, cell) in row.iter().enumerate() {
            let class = match cell {
                cell if is_number(cell) => " class=\"n\"",
                cell if cell.len() > 40 => " class=\"w\"",
                _ => "",
            };
            let _ = match i {
                0 => write!(html, "<th scope=\"row\">{}</th>", escape(cell)),
                _ => write!(html, "<td{class}>{}</td>", escape(cell)),
            };
        }
        html += "</tr>";
    }
    html + "</tbody></table></div>"
}

fn is_number(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit() || "+−–".contains(c)) && cell.len() < 24
}

/// A table that is folded away.
pub(super) fn folded(summary: &str, content: &str) -> String {
    format!("<details><summary>{}</summary>{content}</details>", escape(summary))
}

/// Plots beside each other.
pub(super) fn plots(figures: &[(String, String)]) -> String {
    let mut html = String::from("<div class=\"plots\">");
    for (caption, svg) in figures {
        let caption = escape(caption);
        let _ = write!(html, "<figure><figcaption>{caption}</figcaption>{svg}</figure>");
    }
    html + "</div>"
}

/// A paragraph.
pub(super) fn p(text: &str) -> String {
    format!("<p>{}</p>", escape(text))
}

/// A heading inside a section.
pub(super) fn h3(text: &str) -> String {
    format!("<h3>{}</h3>", escape(text))
}

/// A number with about three digits that count, thousands apart.
pub(super) fn num(value: f64) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    let decimals = match value.abs() {
        v if v >= 100.0 || v.fract() == 0.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.decimals$}");
    let (whole, rest) = text.split_once('.').map_or((&*text, None), |(w, r)| (w, Some(r)));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |d| ("−", d));
    let mut apart = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            apart.push(',');
        }
        apart.push(digit);
    }
    rest.map_or(format!("{sign}{apart}"), |rest| format!("{sign}{apart}.{rest}"))
}

/// A number with so many decimals and its unit, which stays with it at the end of a line.
pub(super) fn unit(value: f64, decimals: usize, unit: &str) -> String {
    if value.is_finite() { format!("{value:.decimals$}\u{a0}{unit}") } else { "–".into() }
}

/// A number of things by name: `1 map`, `30 maps`.
pub(super) fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", num(count as f64))
}

/// How far ours lies from theirs, in percent with its sign.
pub(super) fn deviation(theirs: f64, ours: f64) -> String {
    let percent = (ours / theirs - 1.0) * 100.0;
    if !percent.is_finite() {
        return "–".into();
    }
    let sign = match percent {
        p if p.abs() < 0.05 => "",
        p if p < 0.0 => "−",
        _ => "+",
    };
    format!("{sign}{:.1}\u{a0}%", percent.abs())
}

/// Bytes as people say them.
pub(super) fn bytes(count: f64) -> String {
    match count {
        c if c >= 1e6 => format!("{} MB", num(c / 1e6)),
        c if c >= 1e3 => format!("{} KB", num(c / 1e3)),
        0.0 => "0".into(),
        c => format!("{c:.0} B"),
    }
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    unit(share * 100.0, 1, "%")
}

#[cfg(test)]
mod tests {
    use super::{counted, deviation, num};

    #[test]
    fn numbers_read_well() {
        let texts = [0.0, 0.1234, 1.5, 12.34, 999.6, 1234.0, 1_234_567.0, -4321.0].map(num);
        let expected = ["0", "0.123", "1.50", "12.3", "1,000", "1,234", "1,234,567", "−4,321"];
        assert_eq!(texts, expected);
        assert_eq!(num(f64::NAN), "–");
        assert_eq!(deviation(200.0, 150.0), "−25.0\u{a0}%");
        assert_eq!(deviation(100.0, 99.99), "0.0\u{a0}%");
        assert_eq!(deviation(0.0, 1.0), "–");
        assert_eq!([counted(1, "map"), counted(1_200, "map")], ["1 map", "1,200 maps"]);
    }
}
