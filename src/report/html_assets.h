#ifndef HD_REPORT_HTML_ASSETS_H
#define HD_REPORT_HTML_ASSETS_H

extern const char hd_html_page[], hd_html_style[], hd_html_model[], hd_html_arrows[],
    hd_html_words[], hd_html_script[];

#endif
