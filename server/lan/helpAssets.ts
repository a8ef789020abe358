/**
 * Style and script of the help page. The browser gets them as separate files, so that the page's policy can forbid
 * everything inline.
 */

/** Colours and shapes as in the app (src/app/theme.ts). */
export const HELP_STYLE = `
:root {
  --text: #1f2933; --quiet: #566070; --ground: #f4f6f9; --paper: #fff; --line: #dfe4ea; --brand: #0b6bcb; --brand-dark: #084b8d;
  --green: #1a7a3c; --green-ground: #e8f6ec; --amber: #8f5200; --amber-ground: #fff4e0; --grey-ground: #eef1f4; color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e3e7ec; --quiet: #a7b0bd; --ground: #15181c; --paper: #1d2126; --line: #363c45; --brand-dark: #8cc5ff;
    --green: #75d196; --green-ground: #1d3326; --amber: #f5b95c; --amber-ground: #3a2e1b; --grey-ground: #2a2f36;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text); line-height: 1.6; font-size: 16px;
  font-family: "PingFang SC", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", system-ui, sans-serif;
}
.page { max-width: 760px; margin: 0 auto; padding: 16px 24px 40px; }
header { display: flex; align-items: center; gap: 12px; min-height: 56px; }
header img { display: block; }
header strong { font-size: 20px; font-weight: 600; flex: 1; }
nav a { display: inline-flex; align-items: center; min-height: 44px; padding: 0 12px; color: var(--brand-dark); text-decoration: none; border-radius: 6px; }
nav a[aria-current] { color: var(--text); font-weight: 600; }
h1 { font-size: 26px; line-height: 1.3; margin: 16px 0 8px; }
h2 { font-size: 18px; margin: 0; }
p { margin: 8px 0 0; text-wrap: pretty; }
.why { color: var(--quiet); margin: 0 0 20px; }
.state { border-radius: 6px; padding: 16px; background: var(--grey-ground); display: flex; gap: 16px; align-items: center; flex-wrap: wrap; }
.state > [role=status] { flex: 1 1 320px; }
.state p { margin: 0; }
.state strong { display: flex; align-items: center; gap: 10px; }
.state[data-state=trusted] { background: var(--green-ground); }
.state[data-state=trusted] strong { color: var(--green); }
.state[data-state=untrusted] { background: var(--amber-ground); }
.state[data-state=untrusted] strong { color: var(--amber); }
.state [data-when] { display: none; }
.state[data-state=checking] [data-when=checking], .state[data-state=trusted] [data-when=trusted],
.state[data-state=untrusted] [data-when=untrusted] { display: block; }
.state[data-state=trusted] a.button { display: inline-flex; }
.state svg { width: 24px; height: 24px; flex: none; }
.actions { display: flex; gap: 12px; flex-wrap: wrap; }
.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: 0 20px; border-radius: 6px; font: inherit; font-weight: 600;
  text-decoration: none; cursor: pointer; border: 1px solid transparent; background: var(--brand); color: #fff;
}
.button.quiet { background: var(--paper); color: var(--brand-dark); border-color: var(--line); }
.steps { list-style: none; margin: 20px 0 0; padding: 0; counter-reset: step; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; }
.steps > li { counter-increment: step; padding: 20px 20px 20px 64px; position: relative; }
.steps > li + li { border-top: 1px solid var(--line); }
.steps > li::before {
  content: counter(step); position: absolute; left: 20px; top: 20px; width: 28px; height: 28px; border-radius: 50%; background: var(--brand); color: #fff;
  display: grid; place-items: center; font-weight: 600; font-variant-numeric: tabular-nums;
}
.facts { margin: 8px 0 16px; display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.fingerprint {
  margin: 12px 0 0; padding: 12px 16px; background: var(--grey-ground); border-radius: 6px; font: 600 17px/1.7 ui-monospace, "Cascadia Mono", Menlo, monospace;
  display: grid; grid-template-columns: repeat(2, max-content); gap: 0 32px;
}
.warning { color: var(--amber); }
details { border-top: 1px solid var(--line); }
details:first-of-type { margin-top: 12px; }
summary { min-height: 48px; display: flex; align-items: center; gap: 8px; cursor: pointer; font-weight: 600; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: ""; width: 8px; height: 8px; border: solid var(--quiet); border-width: 0 2px 2px 0; rotate: -45deg; margin: 0 6px 0 2px; flex: none; }
details[open] summary::before { rotate: 45deg; }
details ol { margin: 0 0 16px; padding-left: 24px; }
details li { margin-top: 6px; }
.address { display: block; margin: 12px 0 0; font-size: 18px; font-weight: 600; color: var(--brand-dark); overflow-wrap: anywhere; min-height: 44px; }
footer { color: var(--quiet); font-size: 14px; margin-top: 20px; }
:focus-visible { outline: 3px solid #409eff; outline-offset: 2px; }
@media (max-width: 480px) { .fingerprint { grid-template-columns: max-content; font-size: 15px; } .page { padding: 12px 16px 32px; } .steps > li { padding-left: 56px; padding-right: 16px; } .steps > li::before { left: 16px; } }
`

/** Asks for a picture of the secure address; the browser gives it only when it trusts the certificate. */
export const HELP_SCRIPT = `
const state = document.getElementById('state')
const check = () => {
  state.dataset.state = 'checking'
  const sign = new Image()
  const say = (word) => () => { state.dataset.state = word }
  sign.onload = say('trusted')
  sign.onerror = say('untrusted')
  sign.src = state.dataset.sign + '?' + Date.now()
}
document.getElementById('again').addEventListener('click', check)
// Whoever comes back from the settings sees what has become of it.
document.addEventListener('visibilitychange', () => { if (!document.hidden && state.dataset.state !== 'trusted') check() })
check()
`
