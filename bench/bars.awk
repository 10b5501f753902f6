# bars.awk: "name<TAB>number" lines to a bar chart; the line at 600 is the goal.
{ name[NR] = $1; value[NR] = $2; if ($2 > most) most = $2 }
END {
    if (most < 600)
        most = 600
    scale = 420 / most
    height = 30 + NR * 26
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"620\" height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n", height
    print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    for (i = 1; i <= NR; i++) {
        y = 22 + (i - 1) * 26
        printf "<text x=\"108\" y=\"%d\" text-anchor=\"end\">%s</text>\n", y + 14, name[i]
        printf "<rect x=\"115\" y=\"%d\" width=\"%.1f\" height=\"18\" fill=\"#4878a8\"/>\n", y, value[i] * scale
        printf "<text x=\"%.1f\" y=\"%d\">%d</text>\n", 120 + value[i] * scale, y + 14, value[i]
    }
    x = 115 + 600 * scale
    printf "<path d=\"M%.1f 16V%d\" stroke=\"#b03030\" stroke-dasharray=\"4 3\"/>\n", x, height - 4
    printf "<text x=\"%.1f\" y=\"12\" text-anchor=\"middle\" fill=\"#b03030\">goal: 600</text>\n", x
    print "</svg>"
}
