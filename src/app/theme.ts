import { createTheme, defaultVariantColorsResolver } from '@mantine/core'
import type { CSSVariablesResolver, MantineColorsTuple, MantineThemeOverride } from '@mantine/core'
import { DEFAULT_SHADES } from '#src/frame/look/defaultColor.ts'

/** Greys of the dark theme, in the same tint as its backgrounds below. */
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

/** The height of what is touched or clicked (tokens.css). */
const TOUCH = 'var(--zl-control)'

/** Text of tokens.css under the names of the library, which has more sizes than the app. */
const fontSizes = {
  xs: 'var(--zl-text-small)',
  sm: 'var(--zl-text-small)',
  md: 'var(--zl-text-body)',
  lg: 'var(--zl-text-title)',
  xl: 'var(--zl-text-screen)',
}

/**
 * The theme in shades of a colour that somebody chose: used on brand marks, focus, filled buttons and links, never on
 * what shows a status.
 *
 * @param showPassword the label of the button that shows a password in the clear
 */
export function themeIn(brand: MantineColorsTuple, showPassword: string): MantineThemeOverride {
  const PasswordInput = { defaultProps: { visibilityToggleButtonProps: { 'aria-label': showPassword } } }
  return { ...theme, colors: { dark, brand }, components: { ...theme.components, PasswordInput } }
}

export const theme = createTheme({
  fontFamily: '"PingFang SC", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", system-ui, sans-serif',
  colors: { dark, brand: DEFAULT_SHADES },
  primaryColor: 'brand',
  // The darkest shade, ink blue: a filled button is calm beside a page of values. In the dark theme it would be lost.
  primaryShade: { light: 9, dark: 7 },
  fontSizes,
  defaultRadius: 6,
  respectReducedMotion: true,
  cursorType: 'pointer',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: 'var(--zl-text-screen)' },
      h2: { fontSize: 'var(--zl-text-title)' },
      h3: { fontSize: 'var(--zl-text-title)' },
      h4: { fontSize: 'var(--zl-text-body)' },
    },
  },
  components: {
    // The height of everything that is touched: Mantine's own is 42 px.
    Input: {
      vars: (_theme: unknown, { size }: { size?: unknown }) => ({
        wrapper: size === 'md' ? { '--input-height': TOUCH } : {},
      }),
    },
    Button: {
      vars: (_theme: unknown, { size }: { size?: unknown }) => ({
        root: size === 'md' ? { '--button-height': TOUCH } : {},
      }),
    },
    Drawer: { defaultProps: { transitionProps: { duration: 120 } } },
    InputWrapper: { styles: { label: { marginBottom: 4 }, description: { marginBottom: 6 } } },
    SegmentedControl: { styles: { label: { minHeight: 36, alignContent: 'center' } } },
    Menu: { defaultProps: { transitionProps: { duration: 120 }, keepMounted: false } },
    // Chromium keeps the content of inputs that it may complete, unencrypted, in the session files of its profile.
    TextInput: { defaultProps: { autoComplete: 'off' } },
    Textarea: { defaultProps: { autoComplete: 'off' } },
    Select: { defaultProps: { comboboxProps: { keepMounted: false } } },
  },
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    // Mantine's pale variants put shade 6 on shade 0: below 4.5:1. The variables set below are dark enough.
    return input.variant === 'subtle' || input.variant === 'light'
      ? { ...colors, color: 'var(--zl-quiet-action)' }
      : colors
  },
})

/** Mantine's quiet greys and its red have less than 4.5:1 on white; these have more. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#566070',
    '--mantine-color-placeholder': '#667085',
    '--mantine-color-error': '#c2251d',
    '--mantine-color-anchor': 'var(--mantine-color-brand-8)',
  },
  dark: {
    '--mantine-color-placeholder': '#98a2b0',
    '--mantine-color-error': '#ff9b93',
    '--mantine-color-anchor': 'var(--mantine-color-brand-3)',
  },
})
