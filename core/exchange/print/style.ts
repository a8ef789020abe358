/** How an annotated form is printed: a page of paper for each page of the form, in A4. */
export const STYLE = `
@page { size: A4; margin: 16mm 14mm; }
* { box-sizing: border-box; }
body { font: 10pt/1.45 "Noto Sans CJK SC", "Source Han Sans SC", "Microsoft YaHei", sans-serif; color: #111; margin: 0; }
h1 { font-size: 18pt; margin: 0 0 6mm; }
h2 { font-size: 14pt; margin: 0 0 3mm; }
h3 { font-size: 11pt; margin: 5mm 0 2mm; }
@page wide { size: A4 landscape; margin: 14mm 16mm; }
section { break-before: page; }
section.wide { page: wide; }
table { border-collapse: collapse; width: 100%; margin: 0 0 4mm; }
th, td { border: 0.3mm solid #999; padding: 1mm 1.6mm; vertical-align: top; text-align: left; overflow-wrap: anywhere; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th { background: #eee; font-weight: 600; }
code { font: 9pt ui-monospace, Consolas, monospace; color: #7a0000; }
ul { margin: 0; padding-left: 4mm; }
.facts { font-size: 9pt; }
.code { width: 24%; }
.label { width: 34%; }
.centre { text-align: center; }
@media screen { body { max-width: 190mm; margin: 8mm auto; } }
`
