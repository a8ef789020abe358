import type { MantineColorsTuple } from '@mantine/core'
import type { Language } from '#core/language.ts'

import { DEFAULT_COLOR, DEFAULT_SHADES, isColor, isShades } from './look/defaultColor.ts'
import { sharedValue } from './sharedValue.ts'

/**
 * What a person chose about the look of the app on this device. It contains nothing of the study, so it may be in
 * unencrypted storage.
 */

/** Specification §9: default, blue and dark. */
export const themes = ['theme-starwrap', 'theme-bule', 'theme-vip'] as const
export type ThemeName = (typeof themes)[number]

interface Preferences {
  readonly theme: ThemeName
  /** `#rrggbb`, and the shades that were made of it when it was chosen. */
  readonly color: string
  readonly shades: MantineColorsTuple
  readonly language: Language
  readonly projectView: 'card' | 'table'
  /** Whether the navigation beside the content shows only icons. */
  readonly navCollapsed: boolean
  /** Whether the app may still offer its installation unasked. */
  readonly installHint: 'open' | 'dismissed'
  /** Whether single keys act on lists and pages. */
  readonly letterKeys: boolean
}

/** public/look.js reads it too, before anything is drawn. */
const KEY = 'zhenglu.preferences'
const DEFAULTS: Preferences = {
  theme: 'theme-starwrap',
  color: DEFAULT_COLOR,
  shades: DEFAULT_SHADES,
  language: 'zh',
  projectView: 'card',
  navCollapsed: false,
  installHint: 'open',
  letterKeys: true,
}

const shared = sharedValue(KEY, read)

/** The preferences of this device. Renders again when one changes, in this tab or another. */
export const usePreferences = shared.use

/** The current preferences. */
export const preferences = shared.get

/** Changes some preferences, for all tabs. */
export function setPreferences(change: Partial<Preferences>): void {
  shared.set({ ...shared.get(), ...change })
}

function read(stored: unknown): Preferences {
  if (typeof stored !== 'object' || stored === null) return DEFAULTS
  const { theme, color, shades, language, projectView, navCollapsed, installHint, letterKeys } = stored as Partial<
    Record<keyof Preferences, unknown>
  >
  return {
    theme: themes.find((name) => name === theme) ?? DEFAULTS.theme,
    ...(isColor(color) && isShades(shades) ? { color, shades } : { color: DEFAULTS.color, shades: DEFAULTS.shades }),
    language: language === 'en' ? 'en' : DEFAULTS.language,
    projectView: projectView === 'table' ? 'table' : DEFAULTS.projectView,
    navCollapsed: navCollapsed === true,
    installHint: installHint === 'dismissed' ? 'dismissed' : DEFAULTS.installHint,
    letterKeys: letterKeys !== false,
  }
}
