import { HELP_TEXTS } from '#server/lan/helpTexts.ts'
import type { DeviceSteps, HelpLanguage, HelpTexts } from '#server/lan/helpTexts.ts'
import { TRUST_SIGN } from '#server/lan/trustSign.ts'

/** The paths of the certificate and of the page's parts on the help port. */
export const HELP_PATHS = {
  page: '/',
  certificate: '/zhenglu-site-ca.crt',
  style: '/help.css',
  script: '/help.js',
  icon: '/icon.svg',
} as const

/** The facts for the page. */
export interface HelpFacts {
  readonly authorityName: string
  /** SHA-256, pairs separated by colons. */
  readonly fingerprint: string
  /** Day on which the authority ends, yyyy-MM-dd. */
  readonly until: string
  /** Secure address of the app, with the host that the tablet used: `https://192.168.1.5:8080`. */
  readonly app: string
}

type Device = keyof HelpTexts['devices']
const DEVICES: readonly Device[] = ['android', 'ipad', 'windows', 'mac']

const TICK =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.5" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="M7.5 12.5l3 3 6-6.5"/></svg>'
const TRIANGLE =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.5" aria-hidden="true"><path d="M12 3.5L2.5 20h19zM12 10v4.5M12 17v.5"/></svg>'

/** The whole page. The sections for the devices that the browser's name suggests are open. */
export function helpPage(language: HelpLanguage, facts: HelpFacts, userAgent: string): string {
  const texts = HELP_TEXTS[language]
  const likely = likelyDevices(userAgent)
  return `<!doctype html>
<html lang="${texts.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title} · ${texts.product}</title>
<link rel="icon" href="${HELP_PATHS.icon}">
<link rel="stylesheet" href="${HELP_PATHS.style}">
<script src="${HELP_PATHS.script}" defer></script>
</head>
<body>
<div class="page">
<header><img src="${HELP_PATHS.icon}" alt="" width="40" height="40"><strong>${texts.product}</strong><nav>${languageLink('zh', '中文', language)}${languageLink('en', 'English', language)}</nav></header>
<main>
<h1>${texts.title}</h1>
<p class="why">${texts.why}</p>
${stateBox(texts, facts)}
<ol class="steps">
<li><h2>${texts.download.title}</h2>
<dl class="facts"><dt>${texts.download.name}</dt><dd>${escape(facts.authorityName)}</dd><dt>${texts.download.until}</dt><dd>${facts.until}</dd></dl>
<a class="button" href="${HELP_PATHS.certificate}">${texts.download.button}</a></li>
<li><h2>${texts.compare.title}</h2><p>${texts.compare.text}</p>
<div class="fingerprint" role="group" aria-label="${texts.compare.label}">${fingerprintLines(facts.fingerprint)}</div>
<p class="warning">${texts.compare.warning}</p></li>
<li><h2>${texts.install.title}</h2><p>${texts.install.text}</p>
${DEVICES.map((device) => deviceSteps(texts.devices[device], likely.includes(device))).join('\n')}</li>
<li><h2>${texts.last.title}</h2><p>${texts.last.text}</p><a class="address" href="${escape(facts.app)}">${escape(facts.app)}</a></li>
</ol>
</main>
<footer>${texts.scope}</footer>
</div>
</body>
</html>
`
}

function stateBox(texts: HelpTexts, { app }: HelpFacts): string {
  return `<section class="state" id="state" data-state="checking" data-sign="${escape(app)}${TRUST_SIGN}">
<div role="status"><p data-when="checking">${texts.checking}</p>
<p data-when="trusted"><strong>${TICK}${texts.trusted}</strong></p>
<div data-when="untrusted"><p><strong>${TRIANGLE}${texts.notTrusted}</strong></p><p>${texts.notTrustedHint}</p></div></div>
<div class="actions"><button class="button quiet" id="again" type="button">${texts.checkAgain}</button><a class="button" data-when="trusted" href="${escape(app)}">${texts.open}</a></div>
</section>`
}

function languageLink(language: HelpLanguage, name: string, current: HelpLanguage): string {
  return `<a href="${HELP_PATHS.page}?lang=${language}" lang="${HELP_TEXTS[language].lang}"${language === current ? ' aria-current="true"' : ''}>${name}</a>`
}

function deviceSteps({ device, steps }: DeviceSteps, isOpen: boolean): string {
  return `<details${isOpen ? ' open' : ''}><summary>${device}</summary><ol>${steps.map((step) => `<li>${step}</li>`).join('')}</ol></details>`
}

/** Eight pairs a line, because people compare line by line. */
function fingerprintLines(fingerprint: string): string {
  const pairs = fingerprint.split(':')
  return [0, 8, 16, 24].map((start) => `<span>${pairs.slice(start, start + 8).join(':')}</span>`).join('')
}

function likelyDevices(userAgent: string): readonly Device[] {
  if (/Android|HarmonyOS/i.test(userAgent)) return ['android']
  if (/Windows/i.test(userAgent)) return ['windows']
  if (/iPad|iPhone/i.test(userAgent)) return ['ipad']
  // An iPad reports itself as a Mac.
  return /Macintosh/i.test(userAgent) ? ['ipad', 'mac'] : ['android']
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
