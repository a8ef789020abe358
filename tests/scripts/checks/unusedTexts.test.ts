import { expect, test } from 'vitest'
import { checkUnusedTexts } from '#scripts/checks/unusedTexts.ts'

const TEXTS = `export const login = {
  title: '登录',
  left_other: '还有 {{count}} 次',
  points: { fast: '快', safe: '安全' },
  'not-date': '请输入日期',
} as const
`

/** Line and key of the texts that nothing asks for, when a screen says this. */
function unused(screen: string): readonly string[] {
  const files = [
    { path: 'src/i18n/zh/login.ts', text: TEXTS },
    { path: 'src/screens/login/Login.tsx', text: screen },
  ]
  return checkUnusedTexts(files).map(({ path, line, message }) => `${path}:${line} ${message}`)
}

test('a text that no screen asks for is found where it is written', () => {
  expect(unused("const a = [t('title'), t('left', { count: 2 }), t('points.fast'), t('login:not-date')]")).toEqual([
    'src/i18n/zh/login.ts:4 points.safe is asked for nowhere',
  ])
})

test('keys may be made of parts, and may be named apart from where they are asked for', () => {
  expect(unused("const names = ['not-date', 'title', 'left'] as const\nconst a = t(`login:points.${kind}`)")).toEqual(
    [],
  )
})

test('a template that could become anything asks for nothing', () => {
  expect(unused('const a = `${one}${two}`').length).toBe(5)
})
