import type { ThemeName } from '#src/frame/preferences.ts'

import classes from './look.module.css'

interface Colors {
  readonly nav: string
  readonly navLine: string
  readonly ground: string
  readonly panel: string
  readonly line: string
  readonly text: string
}

const light = { ground: '#f4f6f9', panel: '#ffffff', line: '#dfe4ea', text: '#566070' } as const

const drawn: Readonly<Record<ThemeName, Colors>> = {
  'theme-starwrap': { ...light, nav: '#ffffff', navLine: '#c3cad3' },
  'theme-bule': { ...light, nav: '#0a4a8f', navLine: '#9dc3ee' },
  'theme-vip': {
    nav: '#1d2126',
    navLine: '#6b7583',
    ground: '#15181c',
    panel: '#1d2126',
    line: '#363c45',
    text: '#a7b0bd',
  },
}

/** A theme as a small drawing of the app: bar, navigation, content, one button in the chosen colour. */
export function ThemePreview({ theme }: { readonly theme: ThemeName }) {
  const { nav, navLine, ground, panel, line, text } = drawn[theme]
  return (
    <svg className={classes.preview} viewBox="0 0 160 104" aria-hidden="true" focusable="false">
      <rect width="160" height="104" fill={ground} />
      <rect width="160" height="18" fill={nav} />
      <rect y="18" width="40" height="86" fill={nav} />
      <path d="M0 18.5h160M40.5 18v86" stroke={line} fill="none" />
      <circle cx="11" cy="9" r="4" fill="var(--mantine-color-brand-5)" />
      <path d="M20 9h26M8 30h24M8 42h18M8 54h22" stroke={navLine} strokeWidth="4" strokeLinecap="round" />
      <rect x="50" y="28" width="100" height="66" rx="4" fill={panel} stroke={line} />
      <path d="M60 41h52M60 53h76M60 65h66" stroke={text} strokeWidth="4" strokeLinecap="round" opacity="0.75" />
      <rect x="108" y="76" width="34" height="11" rx="3" fill="var(--mantine-color-brand-9)" />
    </svg>
  )
}
