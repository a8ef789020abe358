import { expect, test } from 'vitest'
import { checkUiWords } from '#scripts/checks/uiWords.ts'

/** Words on screen that were given up. */

const none = { zh: {}, en: {} }

test('a word that was given up is told, with its place and the word in its place', () => {
  const zh = { 'shell.ts': { shell: { place: { casebook: '问卷', diff: '双录比对' } } } }
  expect(checkUiWords({ ...none, zh })).toEqual([
    { path: 'src/i18n/zh/shell.ts', line: 1, message: 'place.casebook says "问卷": 病例报告表, of a design 表单设计' },
  ])
  const en = { 'patients.ts': { patients: { title: 'Patients', center: 'Centre' } } }
  expect(checkUiWords({ ...none, en }).map(({ message }) => message)).toEqual([
    'title says "Patients": subject',
    'center says "Centre": center',
  ])
})

test('the name of a placeholder is no word on screen', () => {
  const en = { 'patients.ts': { patients: { size: '{{patients}} subjects' } } }
  expect(checkUiWords({ ...none, en })).toEqual([])
})

test('a text that must keep such a word is left alone, by its key', () => {
  const survey = { 'survey-only': '仅涉及源系统的问卷' }
  const zh = { 'admin.ts': { admin: { crf: { import: { reason: survey } } } } }
  expect(checkUiWords({ ...none, zh })).toEqual([])
})
