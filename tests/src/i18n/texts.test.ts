import { expect, test } from 'vitest'
import { en } from '#src/i18n/en.ts'
import { common as commonEn } from '#src/i18n/en/common.ts'
import { login as loginEn } from '#src/i18n/en/login.ts'
import { zh } from '#src/i18n/zh.ts'
import { common as commonZh } from '#src/i18n/zh/common.ts'
import { login as loginZh } from '#src/i18n/zh/login.ts'

/**
 * `path.of.key` → its placeholders, sorted. A text of a count may have a form for one and one for the others in a
 * language.
 */
function texts(value: unknown, path = ''): readonly [string, readonly string[]][] {
  if (typeof value === 'string')
    return [
      [
        path.replace(/_(one|other)$/, ''),
        [...value.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').toSorted(),
      ],
    ]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => texts(inner, `${path}.${key}`))
}

test('every text is there in both languages, with the same placeholders', () => {
  const chinese = Object.fromEntries(texts({ ...zh, common: commonZh, login: loginZh }))
  expect(Object.fromEntries(texts({ ...en, common: commonEn, login: loginEn }))).toEqual(chinese)
  expect(Object.keys(chinese).length).toBeGreaterThan(200)
})

test('the messages that the specification gives are used word for word', () => {
  expect(zh.shell.banner.stop).toBe('当前项目已{{status}}，暂时无法操作!')
  expect(zh.shell.logout.question).toBe('是否退出系统, 是否继续?')
  expect(zh.ecrf.page.failedWhy).toMatch(/^保存失败/)
  expect(zh.form.errors.title).toBe('错误')
  expect(zh.admin.crf.confirm.remove.text).toBe('确认要删除这个草稿版的表单？')
  expect(zh.admin.crf.confirm.back.text).toBe('确定要退回到草稿版重新编辑？')
  expect(zh.log.upload).toMatchObject({ question: '确定上传本地日志到服务器?', done: '发送成功!' })
  expect(zh.log.clear).toMatchObject({ question: '确定清空本地日志记录?', done: '清空成功!' })
})
