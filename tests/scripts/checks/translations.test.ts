import { expect, test } from 'vitest'
import { checkLiterals, compareResources } from '#scripts/checks/translations.ts'

test('both languages with the same keys and placeholders are in order, whatever the export is called', () => {
  const zh = { 'login.ts': { loginZh: { title: '登录', left: '还有 {{count}} 次', inner: { hint: '密码' } } } }
  const en = {
    'login.ts': {
      loginEn: {
        title: 'Sign in',
        left_one: 'one try left',
        left_other: '{{count}} tries left',
        inner: { hint: 'Password' },
      },
    },
  }
  expect(compareResources(zh, en)).toEqual([])
})

test('a key that one language lacks is reported there', () => {
  const zh = { 'login.ts': { login: { title: '登录', inner: { hint: '密码' } } } }
  const en = { 'login.ts': { login: { title: 'Sign in', extra: 'More' } }, 'home.ts': { home: { a: 'A' } } }
  expect(compareResources(zh, en).map(({ path, message }) => `${path} ${message}`)).toEqual([
    'src/i18n/en/login.ts inner.hint is missing in English',
    'src/i18n/zh/login.ts extra is missing in Chinese',
    'src/i18n/zh/home.ts a is missing in Chinese',
  ])
})

test('a translation that forgets a placeholder is reported', () => {
  const zh = { 'a.ts': { a: { n: '共 {{total}} 条' } } }
  const en = { 'a.ts': { a: { n: 'records' } } }
  expect(compareResources(zh, en).map(({ message }) => message)).toEqual([
    'n has other placeholders (none) than the Chinese text (total)',
  ])
})

/** The texts that are found in a component of the app. */
function found(text: string, path = 'src/screens/a/A.tsx'): string[] {
  return checkLiterals([{ path, text }]).map(({ line, message }) => `${line} ${/"(.*?)"/.exec(message)?.[1] ?? ''}`)
}

test('text for people outside the resources is found where it stands', () => {
  expect(found("const a = '受试者'")).toEqual(['1 受试者'])
  expect(found('const a = `共 ${n} 条`')).toEqual(['1 共', '1 条'])
  expect(found('const a = (\n  <p>\n    Sign in\n  </p>\n)')).toEqual(['3 Sign in'])
  expect(found('const a = <input aria-label="Password" />')).toEqual(['1 Password'])
})

test('keys, comments, code and the resources themselves are left alone', () => {
  expect(found("// 受试者\nconst a = <p title={t('x.y')} data-kind=\"page\">{t('a.b')}: {n} / {m}</p>")).toEqual([])
  expect(found("export const login = { title: '登录' }", 'src/i18n/zh/login.ts')).toEqual([])
  expect(found("export const demo = '演示项目'", 'server/demo/study.ts')).toEqual([])
})
