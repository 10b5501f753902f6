/* The files of src/report/html/ as they are, NUL-terminated. */
#include "report/html_assets.h"

#define ASSET(name, file)                                                                        \
    __asm__(".pushsection .rodata\n.global " #name "\n" #name                                    \
            ":\n.incbin \"src/report/html/" file "\"\n.byte 0\n.popsection\n")

ASSET(hd_html_page, "page.html");
ASSET(hd_html_style, "style.css");
ASSET(hd_html_model, "model.js");
ASSET(hd_html_arrows, "arrows.js");
ASSET(hd_html_words, "words.js");
ASSET(hd_html_script, "script.js");
