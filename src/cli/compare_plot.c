/* The plot of `heddle compare`: bars on a logarithmic scale, as an SVG document that needs
 * nothing else.  Bars begin at 0.5 (0.0005 for seconds), so that one execution has a length; 0
 * has none.  A violation is a dot behind its bar, a search that did not get through an open
 * end. */
#include "cli/compare_table.h"

#include <string.h>

#define LEFT 170
#define WIDTH 480 /* of the longest bar */
#define BAR 14
#define GAP 12

static const char *const colours[] = { "#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad",
                                       "#d68910", "#555555", "#16a3a3", "#a0522d" };

/* The logarithm to base 10, to four digits: enough for a drawing. */
static double decades(double x)
{
    double whole = 0, part = 0;
    for (; x >= 10; x /= 10)
        whole++;
    for (; x < 1; x *= 10)
        whole--;
    for (double weight = 0.5; weight > 1e-5; weight /= 2) {
        x *= x;
        if (x >= 10) {
            x /= 10;
            part += weight;
        }
    }
    return whole + part;
}

struct plot {
    struct hd_str *out;
    const struct hd_measure *measure;
    double least, scale; /* the value at the left end; pixels of a decade */
    bool fraction;
};

static double length_of(const struct plot *p, double value)
{
    return value <= p->least ? 0 : (decades(value) - decades(p->least)) * p->scale;
}

/* Lines at powers of ten, with their numbers. */
static void grid(const struct plot *p, double most, unsigned bottom)
{
    for (double v = p->fraction ? 0.001 : 1; v <= most * 1.0001; v *= 10) {
        double x = LEFT + length_of(p, v);
        hd_str_appendf(p->out, "<path d=\"M%.1f 40V%u\" stroke=\"#ddd\"/>", x, bottom);
        hd_str_appendf(p->out, "<text x=\"%.1f\" y=\"%u\" text-anchor=\"middle\">", x,
                       bottom + 16);
        hd_str_appendf(p->out, most < 1e8 && v >= 1 ? "%.0f</text>\n" : "%g</text>\n", v);
    }
}

static void bar(const struct plot *p, const struct hd_compared *c, size_t column, unsigned y)
{
    struct hd_compared_spread s;
    hd_compared_spread(c, p->measure, &s);
    const char *colour = colours[column % (sizeof colours / sizeof *colours)];
    double length = length_of(p, s.mean);
    if (c->n == 0) {
        hd_str_appendf(p->out, "<text x=\"%d\" y=\"%u\" fill=\"#888\">not run</text>\n", LEFT + 4,
                       y + BAR - 3);
        return;
    }
    hd_str_appendf(p->out, "<rect x=\"%d\" y=\"%u\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
                   LEFT, y, length, BAR - 2, colour);
    if (c->n > 1 && s.least < s.most)
        hd_str_appendf(p->out, "<path d=\"M%.1f %uH%.1f\" stroke=\"black\"/>",
                       LEFT + length_of(p, s.least), y + (BAR - 2) / 2,
                       LEFT + length_of(p, s.most));
    hd_str_appendf(p->out, "<text x=\"%.1f\" y=\"%u\">%.*f%s</text>\n", LEFT + length + 4,
                   y + BAR - 3, p->fraction ? 3 : c->n > 1, s.mean,
                   hd_compared_found(c)      ? " ●"
                   : hd_compared_finished(c) ? ""
                                             : " …");
}

static double most_of(const struct hd_comparison *all, const struct hd_measure *measure)
{
    double most = 10;
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = 0; k < all->programs[i].n; k++) {
            struct hd_compared_spread s;
            hd_compared_spread(&all->programs[i].rows[k], measure, &s);
            most = s.most > most ? s.most : most;
        }
    return most;
}

static void legend(const struct plot *p, const struct hd_compared_program *program)
{
    for (size_t k = 0; k < program->n; k++) {
        hd_str_appendf(p->out,
                       "<rect x=\"%d\" y=\"%zu\" width=\"12\" height=\"12\" fill=\"%s\"/>"
                       "<text x=\"%d\" y=\"%zu\">",
                       LEFT + WIDTH + 90, 44 + 18 * k,
                       colours[k % (sizeof colours / sizeof *colours)], LEFT + WIDTH + 108,
                       54 + 18 * k);
        hd_str_append_xml(p->out, program->rows[k].strategy);
        hd_str_append(p->out, "</text>\n");
    }
}

void hd_compared_svg(struct hd_str *out, const struct hd_comparison *all)
{
    size_t columns = all->n ? all->programs[0].n : 0;
    unsigned group = (unsigned)columns * BAR + GAP, bottom = 44 + (unsigned)all->n * group;
    unsigned key = 60 + 18 * (unsigned)columns, height = bottom + 40 > key ? bottom + 40 : key;
    struct plot p = { .out = out, .measure = &hd_measures[all->measure] };
    double most = most_of(all, p.measure);
    p.fraction = strcmp(p.measure->word, "seconds") == 0;
    p.least = p.fraction ? 0.0005 : 0.5;
    p.scale = WIDTH / (decades(most) - decades(p.least));
    hd_str_appendf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
                   "font-family=\"sans-serif\" font-size=\"12\">\n"
                   "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                   "<text x=\"%d\" y=\"24\" font-size=\"15\">%s</text>"
                   "<text x=\"%d\" y=\"24\" fill=\"#555\">● a violation, … not all "
                   "explored</text>\n",
                   LEFT + WIDTH + 290, height, LEFT, p.measure->title, LEFT + WIDTH - 100);
    grid(&p, most, bottom);
    for (size_t i = 0; i < all->n; i++) {
        unsigned y = 44 + (unsigned)i * group;
        hd_str_appendf(out, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">", LEFT - 8,
                       y + (unsigned)columns * BAR / 2 + 4);
        hd_str_append_xml(out, all->programs[i].name);
        hd_str_append(out, "</text>\n");
        for (size_t k = 0; k < columns; k++)
            bar(&p, &all->programs[i].rows[k], k, y + (unsigned)k * BAR);
    }
    if (all->n)
        legend(&p, &all->programs[0]);
    hd_str_append(out, "</svg>\n");
}
