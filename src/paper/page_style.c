/* How pages look: on a screen by day and night, on a telephone, on paper. */
#include "paper/page.h"

const char page_style[] =
    ":root{color-scheme:light dark}*{box-sizing:border-box}"
    "body{font:16px/1.5 system-ui,-apple-system,'DejaVu Sans',sans-serif;color:#1a1a1a;background:#fff;"
    "max-width:72rem;margin:0 auto;padding:1rem}"
    "h1{font-size:1.7rem;line-height:1.2}h2{margin-top:2.5rem;border-bottom:2px solid #0072B2}"
    "h3{margin:2rem 0 .3rem}code,pre{font:.85rem/1.5 'DejaVu Sans "
    "Mono',monospace;background:#f3f5f7;border-radius:3px}"
    "code{padding:.1em .3em;overflow-wrap:anywhere}pre{padding:.6em "
    ".8em;white-space:pre-wrap;overflow-wrap:anywhere}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}"
    "th,td{padding:.25rem .6rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "tr.head "
    "th{padding-top:.8rem;font-weight:600}.good{color:#00664b}.part{color:#7a5c00}.bad{color:#a33c00}.none{"
    "color:#666}"
    "figure{margin:.5rem 0 1.5rem}figure "
    "svg{width:100%;height:auto;max-width:1300px;display:block}"
    "figcaption{font-size:.9rem;color:#444}.note{color:#b00000}nav ul{padding-left:1.2rem}"
    "details{margin:.5rem 0}summary{cursor:pointer}"
    "@media(max-width:32rem){th,td{padding:.2rem .3rem}table{font-size:.8rem}}"
    "@media print{body{max-width:none;font-size:11pt}figure,table{break-inside:avoid}"
    "h1,h2,h3,summary,thead,nav{break-after:avoid}section>p{break-after:avoid}p,li{orphans:3;widows:3}"
    ".wide{overflow:visible}details:not([open])>*{display:block}h2{break-before:page}}"
    /* figures are drawn on white: turned round, with their hues */
    "@media screen and (prefers-color-scheme:dark){body{color:#e4e4e4;background:#15181b}a{color:#7db8ff}"
    "code,pre{background:#252a2f}th,td{border-color:#444}figcaption{color:#b8b8b8}.good{color:#4ecba0}"
    ".part{color:#e0b93c}.bad{color:#ff9a5c}.none{color:#a0a0a0}.note{color:#ff8080}"
    "figure svg{filter:invert(.92) hue-rotate(180deg)}}";

void page_escape(struct strbuf *to, const char *s) {
  for (; *s; s++)
    switch (*s) {
    case '<':
      strbuf_add(to, "&lt;");
      break;
    case '>':
      strbuf_add(to, "&gt;");
      break;
    case '&':
      strbuf_add(to, "&amp;");
      break;
    case '"':
      strbuf_add(to, "&quot;");
      break;
    default:
      strbuf_addc(to, *s);
    }
}
