import { createTheme, defaultVariantColorsResolver } from '@mantine/core'
import type { CSSVariablesResolver, MantineColorsTuple, MantineThemeOverride } from '@mantine/core'

import { DEFAULT_SHADES } from './look/defaultColor.ts'

/** Greys of the dark theme, of one cast with its grounds below. */
const dark: MantineColorsTuple = [
  '#e3e7ec',
  '#c9d0d8',
  '#a7b0bd',
  '#7d8794',
  '#4d5661',
  '#343b44',
  '#262b32',
  '#1d2126',
  '#181c20',
  '#15181c',
]

/** UI.md: the least height of a target. */
const TOUCH = '44px'

/** The theme in shades of a colour that somebody chose: it is on brand marks, focus, filled buttons and links, never on what carries status. */
export function themeIn(brand: MantineColorsTuple): MantineThemeOverride {
  return { ...theme, colors: { dark, brand } }
}

export const theme = createTheme({
  fontFamily: '"PingFang SC", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", system-ui, sans-serif',
  colors: { dark, brand: DEFAULT_SHADES },
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 6,
  respectReducedMotion: true,
  cursorType: 'pointer',
  headings: { fontWeight: '600' },
  components: {
    // The size of everything that is touched: Mantine's own is 42 px.
    Input: { vars: (_theme: unknown, { size }: { size?: unknown }) => ({ wrapper: size === 'md' ? { '--input-height': TOUCH } : {} }) },
    Button: { vars: (_theme: unknown, { size }: { size?: unknown }) => ({ root: size === 'md' ? { '--button-height': TOUCH } : {} }) },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 120 } }, styles: { title: { fontWeight: 600 } } },
    Drawer: { defaultProps: { transitionProps: { duration: 120 } }, styles: { title: { fontWeight: 600 } } },
    InputWrapper: { styles: { label: { marginBottom: 4 }, description: { marginBottom: 6 } } },
    SegmentedControl: { styles: { label: { minHeight: 36, alignContent: 'center' } } },
    Menu: { defaultProps: { transitionProps: { duration: 120 }, keepMounted: false } },
    // Chromium keeps what stands in boxes that it may complete, in clear, in the session files of its profile.
    TextInput: { defaultProps: { autoComplete: 'off' } },
    Textarea: { defaultProps: { autoComplete: 'off' } },
    Select: { defaultProps: { comboboxProps: { keepMounted: false } } },
  },
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    // Mantine's pale variants put shade 6 on shade 0: below 4.5:1. The variables set below are dark enough.
    return input.variant === 'subtle' || input.variant === 'light' ? { ...colors, color: 'var(--zl-quiet-action)' } : colors
  },
})

/** Mantine's quiet greys and its red miss 4.5:1 on white; these do not. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#566070',
    '--mantine-color-placeholder': '#667085',
    '--mantine-color-error': '#c2251d',
    '--zl-ground': '#f4f6f9',
    '--zl-line': '#dfe4ea',
    '--mantine-color-anchor': 'var(--mantine-color-brand-7)',
    '--zl-quiet-action': 'var(--mantine-color-brand-9)',
    '--zl-red': '#c2251d',
    '--zl-amber': '#8f5200',
    '--zl-green': '#1a7a3c',
    '--zl-blue': '#0b6bcb',
    '--zl-grey': '#566070',
    '--zl-red-ground': '#fdecea',
    '--zl-amber-ground': '#fff4e0',
    '--zl-green-ground': '#e8f6ec',
    '--zl-blue-ground': '#ecf5ff',
    '--zl-grey-ground': '#eef1f4',
  },
  dark: {
    '--mantine-color-placeholder': '#98a2b0',
    '--mantine-color-error': '#ff9b93',
    '--zl-ground': '#15181c',
    '--zl-line': '#363c45',
    '--mantine-color-anchor': 'var(--mantine-color-brand-3)',
    '--zl-quiet-action': 'var(--mantine-color-brand-3)',
    '--zl-red': '#ff9b93',
    '--zl-amber': '#f5b95c',
    '--zl-green': '#75d196',
    '--zl-blue': '#8cc5ff',
    '--zl-grey': '#a7b0bd',
    '--zl-red-ground': '#3b2322',
    '--zl-amber-ground': '#3a2e1b',
    '--zl-green-ground': '#1d3326',
    '--zl-blue-ground': '#1b2f44',
    '--zl-grey-ground': '#2a2f36',
  },
})
