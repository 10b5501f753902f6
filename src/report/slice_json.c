#include "base/json.h"
#include "report/slice.h"

static void opening(struct hd_str *out, const char *version, const char *program)
{
    hd_str_append(out, "{\n  \"heddle\": ");
    hd_json_string(out, version);
    hd_str_append(out, ",\n  \"program\": ");
    hd_json_string(out, program);
}

static void place(struct hd_str *out, const struct hd_line *at)
{
    hd_str_append(out, "\"file\": ");
    hd_json_string(out, at->file);
    hd_str_appendf(out, ", \"line\": %u", at->line);
}

static void thread(struct hd_str *out, const struct hd_sliced_thread *t)
{
    hd_str_append(out, "    {\"entry\": ");
    hd_json_string(out, t->entry);
    hd_str_appendf(out, ", \"many\": %s,\n     \"lines\": [", t->many ? "true" : "false");
    for (uint32_t i = 0; i < t->n_lines; i++) {
        hd_str_append(out, i ? ",\n       {" : "\n       {");
        place(out, &t->lines[i].at);
        hd_str_appendf(out, ", \"visible\": %s, \"target\": %s}",
                       t->lines[i].visible ? "true" : "false",
                       t->lines[i].target ? "true" : "false");
    }
    hd_str_append(out, "],\n     \"influences\": [");
    for (uint32_t i = 0; i < t->n_influences; i++) {
        const struct hd_sliced_influence *in = &t->influences[i];
        hd_str_append(out, i ? ",\n       {\"read\": {" : "\n       {\"read\": {");
        place(out, &in->read);
        hd_str_append(out, "}, \"write\": {");
        place(out, &in->write);
        hd_str_append(out, "}, \"thread\": ");
        hd_json_string(out, in->thread);
        hd_str_append(out, ", \"variable\": ");
        hd_json_string(out, in->variable);
        hd_str_append(out, "}");
    }
    hd_str_append(out, "]}");
}

void hd_slice_json(struct hd_str *out, const struct hd_slice_report *r)
{
    opening(out, r->version, r->program);
    hd_str_append(out, ",\n  \"targets\": [");
    for (size_t i = 0; i < r->targets->n; i++) {
        hd_str_append(out, i ? ", " : "");
        hd_json_string(out, r->targets->items[i]);
    }
    hd_str_appendf(out, "],\n  \"whole\": %s,\n  \"seconds\": %.6f,\n  \"threads\": [\n",
                   r->whole ? "true" : "false", r->sliced->seconds);
    for (uint32_t i = 0; i < r->sliced->n; i++) {
        hd_str_append(out, i ? ",\n" : "");
        thread(out, &r->sliced->threads[i]);
    }
    hd_str_append(out, "\n  ]\n}\n");
}

void hd_warnings_json(struct hd_str *out, const char *version, const char *program,
                      const struct hd_warned_list *list)
{
    opening(out, version, program);
    hd_str_appendf(out, ",\n  \"more\": %s,\n  \"warnings\": [", list->more ? "true" : "false");
    for (uint32_t i = 0; i < list->n; i++) {
        const struct hd_warned *w = &list->items[i];
        hd_str_appendf(out, "%s\n    {\"kind\": \"%s\", \"sites\": [", i ? "," : "",
                       w->deadlock ? "deadlock" : "data-race");
        for (uint32_t k = 0; k < w->n_sites; k++) {
            const struct hd_warned_site *s = &w->sites[k];
            hd_str_append(out, k ? ",\n       {" : "\n       {");
            place(out, &s->at);
            hd_str_append(out, ", \"function\": ");
            hd_json_string(out, s->function);
            hd_str_append(out, ", \"thread\": ");
            hd_json_string(out, s->thread);
            hd_str_append(out, w->deadlock ? ", \"lock\": " : ", \"variable\": ");
            hd_json_string(out, s->what);
            if (w->deadlock) {
                hd_str_append(out, ", \"held\": ");
                hd_json_string(out, s->held);
            } else {
                hd_str_appendf(out, ", \"access\": \"%s\"", s->writes ? "write" : "read");
            }
            hd_str_append(out, "}");
        }
        hd_str_append(out, "]}");
    }
    hd_str_append(out, "\n  ]\n}\n");
}
