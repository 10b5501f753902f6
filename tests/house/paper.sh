#!/bin/bash
# The page of all tables and plots (bench/paper.py): made of the committed pages it differs in nothing, and a count that
# changes is found.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$ROOT" || exit 2

is() { if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "expected $2, got $3 ($(first_lines "$tmp/out"))"; fi; }
paper() { python3 bench/paper.py --from "$1" -o "$tmp/paper.html" >"$tmp/out" 2>&1; }

paper bench
is 'the committed pages are the committed pages' 0 "$?"

# Every tag is closed, every table of the pages is there, and every plot: three of SCALE, Figure 6 of the meta heuristic.
PAGE=$tmp/paper.html python3 -B - >"$tmp/page" 2>&1 <<'P'
import html.parser, os, sys
sys.path.insert(0, "bench")
import paper
count, opened = {}, []
class Page(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        count[tag] = count.get(tag, 0) + 1
        if tag not in ("meta", "html", "title"):
            opened.append(tag)
    def handle_startendtag(self, tag, attributes):
        pass
    def handle_endtag(self, tag):
        if tag != "title" and opened.pop() != tag:
            print("not closed:", tag)
Page().feed(open(os.environ["PAGE"], encoding="utf-8").read())
pages = [paper.tables(paper.pages_of(f"bench/{name}.md")) for name in paper.PARTS]
print(opened, count["table"] == sum(len(p) for p in pages), count["svg"])
P
is 'the page is whole' '[] True 4' "$(cat "$tmp/page")"

# changed PAGE FROM TO: the committed pages with one text replaced; is that noticed?
changed() {
    rm -rf "$tmp/pages" && mkdir "$tmp/pages" && cp bench/*.md bench/*.svg "$tmp/pages"
    python3 -c 'import sys; path, old, new = sys.argv[1:]; text = open(path).read(); assert old in text, old
open(path, "w").write(text.replace(old, new, 1))' "$tmp/pages/$1" "$2" "$3" || exit 2
    paper "$tmp/pages"
}
# A published count of the first table of SCALE's page, in the first line that has one.
row=$(grep -m1 -E '^\| [^|]+ \| [0-9]+ ' bench/scale.md)
changed scale.md "$row" "$(sed -E 's/^(\| [^|]+ \| [0-9]+)/\17/' <<<"$row")"
is 'another published figure' '1 1' "$? $(grep -c '^differs: scale: Table 6.1' "$tmp/out")"
changed hybrid.md '| TSP |' '| TSP again |'
is 'a line that is gone, and a new one' '1 2' "$? $(grep -c '^differs: hybrid: Complete' "$tmp/out")"
row=$(grep -m1 '^| SharedVar-v2' bench/directed.md)
changed directed.md "$row" "$(sed 's/\([0-9]*\) (\([0-9]*\), \([0-9]*\) ms)/1\1 (\2, \3 ms)/' <<<"$row")"
is 'another count of ours' '1 1' "$? $(grep -c '^differs: directed: .*SharedVar-v2' "$tmp/out")"
is 'it is marked on the page' 1 "$(grep -c 'class="differs"' "$tmp/paper.html")"
# A search that its limit has cut is no difference, but it is told.
row=$(grep -m1 -E '^\| 3,2 \|' bench/scale.md)
changed scale.md "$row" "$(sed -E 's/ ([0-9]+) \(([0-9.]+)\)( \|[^|]*)$/ > 5 (25.1)\3/' <<<"$row")"
is 'a search that was cut is told' '0 1' "$? $(grep -c '^not reached in its time: scale: Table 6.3' "$tmp/out")"
row=$(grep -m1 '^| SharedVar-v2' bench/directed.md)
changed directed.md "$row" "$(sed 's/ [0-9]* ms)/ 77777 ms)/' <<<"$row")"
is 'another time is no difference' 0 "$?"
