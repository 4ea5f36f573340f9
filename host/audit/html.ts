/** Text for HTML, safe inside elements and quoted attributes. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A JSON value for a script element, so that nothing in it can end the element. */
export function embedded(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** A number with at most so many decimals, without trailing zeros. */
export function num(value: number, decimals = 1): string {
  return String(Math.round(value * 10 ** decimals) / 10 ** decimals);
}

/** A number with its word, as `1 roll` and `2 rolls`. */
export function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

/** Colours by what they mean; each has a light and a dark value with enough contrast for text and for lines. */
const CSS = `
:root{color-scheme:light dark;--bg:#fbfaf8;--card:#fff;--ink:#1c1b1a;--soft:#5d5a55;--line:#e3dfd8;--grid:#eeebe5;
--a:#b3261e;--b:#1559b3;--one:#1f5fbf;--two:#c2620e;--touch:#1d7a46;--yes:#1d7a46;--no:#5d5a55;--doubt:#9a5b00;--warn:#fff3da}
@media (prefers-color-scheme:dark){:root{--bg:#161513;--card:#1f1e1b;--ink:#eceae6;--soft:#a8a49c;--line:#383530;--grid:#2b2925;
--a:#ff8a80;--b:#82b6ff;--one:#7fb2ff;--two:#ffb066;--touch:#68d391;--yes:#68d391;--no:#a8a49c;--doubt:#f3bb5c;--warn:#3a2f14}}
*{--edge:color-mix(in srgb,var(--ink) 34%,transparent);box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1060px;margin:0 auto;padding:20px 16px 48px}
h1{font-size:1.5rem;line-height:1.2;margin:0 0 4px}h2{font-size:1.06rem;margin:26px 0 8px}h3{font-size:.95rem;margin:14px 0 4px}
p{margin:4px 0}.soft{color:var(--soft)}.small{font-size:.86rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px;margin:12px 0}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(280px,1fr));gap:12px}.grid>.card{margin:0}
.verdict{font-size:1.22rem;font-weight:650}.yes{color:var(--yes)}.no{color:var(--no)}.undetermined{color:var(--doubt)}
.side-A{color:var(--a)}.side-B{color:var(--b)}
.rule{display:inline-block;border:1px solid var(--line);border-radius:99px;padding:0 8px;font-size:.78rem;margin:0 4px 0 0;color:var(--soft)}
ul{margin:4px 0;padding-left:18px}li{margin:2px 0}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{text-align:left;padding:4px 10px 4px 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--soft);font-size:.84rem}td.n,th.n{text-align:right}
.wide{overflow-x:auto;background:linear-gradient(to right,var(--card) 40%,transparent),linear-gradient(to left,var(--card) 40%,transparent) right,linear-gradient(to right,var(--edge),transparent),linear-gradient(to left,var(--edge),transparent) right;
background-color:var(--card);background-size:48px 100%,48px 100%,14px 100%,14px 100%;background-repeat:no-repeat;background-attachment:local,local,scroll,scroll}.fixed{white-space:nowrap}
code,.mono{font:12px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.traces{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,350px),1fr));gap:4px 22px;align-items:start}svg{display:block;width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:var(--soft)}
table.facts{width:auto}.facts th{white-space:nowrap;padding-right:14px}.facts+.facts,.facts+ul{margin-top:6px}
.gone{color:var(--soft);font-weight:500}.stands{border-color:var(--doubt)}
.tag{font-weight:400;white-space:nowrap;border:1px solid var(--doubt);color:var(--doubt);border-radius:99px;padding:0 7px;font-size:.76rem}
.rolls{columns:18rem;padding-left:0;list-style:none}.rolls li{break-inside:avoid;margin:3px 0}
.small-plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(160px,1fr));gap:10px 18px}.small-plots figure{margin:0}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));gap:0 16px;align-items:start}.plots .card{margin-top:4px}.card>h3:first-child{margin-top:0}
.verdict+.soft{margin-top:0}td:first-child{min-width:6.5rem}
details>summary{cursor:pointer;color:var(--soft)}.warn{background:var(--warn)}
.keys{display:flex;flex-wrap:wrap;align-items:baseline}.key{display:inline-flex;align-items:center;gap:6px;margin-right:14px}.key i{width:14px;height:3px;border-radius:2px;display:inline-block}
a{color:var(--one)}
@media print{.traces{grid-template-columns:1fr 1fr}.trace{break-inside:avoid}.wide{overflow:visible}:root{--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#ccc;--grid:#e6e6e6;--a:#b3261e;--b:#1559b3;--one:#1f5fbf;--two:#c2620e;--touch:#1d7a46;--yes:#1d7a46;--no:#444;--doubt:#9a5b00;--warn:#fff}
main{max-width:none;padding:0}.card{break-inside:avoid}details:not(.machine)::details-content{content-visibility:visible;height:auto}nav{display:none}.roll{break-before:page}.roll:first-of-type{break-before:auto}}
@media (max-width:520px){main{padding:14px 10px 40px}.card{padding:12px}h1{font-size:1.25rem}th,td{padding-right:8px}td:first-child{min-width:4.5rem}}
`;

/** A whole page that needs nothing else: no network, no script from anywhere. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';style-src 'unsafe-inline';img-src data:">
<title>${escaped(title)}</title><style>${CSS}</style></head>
<body><main>
${body}
</main></body></html>
`;
}
