# Lines in a logarithmic plot: awk -v title=T -v xlabel=X -v ylabel=Y -f plot.awk TABLE > FILE.svg
# TABLE: series<TAB>x<TAB>y, in the order of the lines.
BEGIN { FS = "\t"; split("#1b6ca8 #c0392b #2e8b57 #8e44ad #d68910 #555555", colour, " ") }
$3 > 0 {
    if (!($1 in number)) { number[$1] = ++n; name[n] = $1 }
    s = number[$1]; k = ++points[s]; px[s, k] = $2; py[s, k] = log($3) / log(10)
    if (!any || $2 < x0) x0 = $2
    if (!any || $2 > x1) x1 = $2
    if (!any || py[s, k] < y0) y0 = py[s, k]
    if (!any || py[s, k] > y1) y1 = py[s, k]
    any = 1
}
function down(v) { return v >= 0 || v == int(v) ? int(v) : int(v) - 1 }
function X(v) { return 70 + (v - x0) * 420 / (x1 - x0) }
function Y(v) { return 300 - (v - y0) * 250 / (y1 - y0) }
END {
    if (x1 == x0) x1 = x0 + 1
    y0 = down(y0); y1 = down(y1) + 1
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"360\" font-family=\"sans-serif\" font-size=\"12\">"
    print "<rect width=\"720\" height=\"360\" fill=\"white\"/>"
    printf "<text x=\"70\" y=\"24\" font-size=\"15\">%s</text>\n", title
    for (v = y0; v <= y1; v++) {
        printf "<line x1=\"70\" x2=\"490\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", Y(v), Y(v)
        printf "<text x=\"62\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", Y(v) + 4, v < 0 ? 10 ^ v : sprintf("%d", 10 ^ v)
    }
    for (s = 1; s <= n; s++) {
        path = ""
        for (k = 1; k <= points[s]; k++) {
            path = path sprintf("%s%.1f,%.1f", k > 1 ? " " : "", X(px[s, k]), Y(py[s, k]))
            printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", X(px[s, k]), Y(py[s, k]), colour[s]
            if (!(px[s, k] in ticked)) {
                ticked[px[s, k]] = 1
                printf "<text x=\"%.1f\" y=\"316\" text-anchor=\"middle\">%s</text>", X(px[s, k]), px[s, k]
            }
        }
        printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", path, colour[s]
        printf "<rect x=\"505\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"523\" y=\"%d\">%s</text>\n", 40 + 20 * s, colour[s], 50 + 20 * s, name[s]
    }
    printf "<text x=\"280\" y=\"340\" text-anchor=\"middle\">%s</text>\n", xlabel
    printf "<text x=\"18\" y=\"175\" text-anchor=\"middle\" transform=\"rotate(-90 18 175)\">%s</text>\n", ylabel
    print "</svg>"
}
