import type { Design, DesignForm, DesignPage } from '#core/design/design.ts'
import { optionOf } from '#core/design/design.ts'
import type { DesignFieldKey } from '#core/design/designEdit.ts'
import type { Choice } from '#core/form/definition/choiceLists.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { readPage } from '#core/form/definition/page.ts'
import { fieldTypes } from '#core/form/compiled/version.ts'
import type { NamedField, NamedPage, RuleNames } from '#core/rules/complete.ts'
import type { Language } from '#core/language.ts'
import { inLanguage, pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'

/** The names of fields, pages and visits for the editors of rules, in the reader's language. */

/** Each form is parsed once, because forms are never changed in place. */
const models = new WeakMap<DesignForm, PageModel | null>()
const fieldsOf: Record<Language, WeakMap<DesignForm, readonly NamedField[]>> = { zh: new WeakMap(), en: new WeakMap() }

/** The page as the engine reads it; null where it cannot be read. */
export function modelOf({ form }: DesignPage): PageModel | null {
  if (form === null) return null
  const known = models.get(form)
  if (known !== undefined) return known
  const read = readPage(optionOf(form))
  const model = read.ok ? read.page : null
  models.set(form, model)
  return model
}

/** The names that the rules of a field may use. */
export function ruleNames(design: Design, { pageId, table }: DesignFieldKey, language: Language): RuleNames {
  const page = design.pages.get(pageId)
  const row = table === null || page === undefined ? null : (modelOf(page)?.byCode.get(table)?.children ?? [])
  return {
    page: page === undefined ? [] : namedFields(page, language),
    row: row === null ? null : nameFields(row, language),
    pages: [...design.pages.values()].map((one): NamedPage => ({
      code: one.pageCode,
      label: pageNameIn(language, one),
      folders: design.folders.filter(({ pageIds }) => pageIds.includes(one.id)).map(({ folderCode }) => folderCode),
      fields: namedFields(one, language),
    })),
    folders: design.folders.map((folder) => ({ code: folder.folderCode, label: visitNameIn(language, folder) })),
  }
}

function namedFields(page: DesignPage, language: Language): readonly NamedField[] {
  if (page.form === null) return []
  const known = fieldsOf[language].get(page.form)
  if (known !== undefined) return known
  const fields = nameFields(modelOf(page)?.fields ?? [], language)
  fieldsOf[language].set(page.form, fields)
  return fields
}

function nameFields(fields: readonly Field[], language: Language): readonly NamedField[] {
  const types = fieldTypes(fields)
  return fields
    .filter(({ type }) => type !== 'title')
    .map((field) => ({
      code: field.code,
      label: fieldLabel(field, language),
      type: types.get(field.code) ?? 'string',
      choices: choicesOf(field, language),
    }))
}

export function fieldLabel(
  { label, labelEn, code }: Pick<Field, 'label' | 'labelEn' | 'code'>,
  language: Language,
): string {
  const said = inLanguage(language, label, labelEn)
  return said === '' ? code : said
}

/** The choices of a field with the choices below them, in one list. */
export function choicesOf(
  { choices }: Pick<Field, 'choices'>,
  language: Language,
): readonly { readonly value: string; readonly label: string }[] {
  const all = (among: readonly Choice[]): readonly Choice[] =>
    among.flatMap((choice) => [choice, ...all(choice.children)])
  const seen = new Set<string>()
  return all(choices).flatMap(({ value, label, labelEn }) => {
    if (seen.has(value)) return []
    seen.add(value)
    return [{ value, label: inLanguage(language, label, labelEn) }]
  })
}

/** The name of a field in a rule, in words: its place and its label. */
export function wordsOf(
  name: string,
  names: RuleNames,
  own: { readonly page: string; readonly row: string; readonly visit: string },
): string {
  const [variable, ...path] = name.split('.')
  const code = path.at(-1) ?? ''
  if (variable === 'page') return names.page.find((field) => field.code === code)?.label ?? name
  if (variable === 'row') return `${own.row} · ${names.row?.find((field) => field.code === code)?.label ?? code}`
  const [folder, page] = variable === 'form' ? [path[0], path[1]] : [undefined, path[0]]
  const found = names.pages.find((one) => one.code === page)
  const where =
    folder === undefined
      ? variable === 'visit'
        ? own.visit
        : ''
      : (names.folders.find((one) => one.code === folder)?.label ?? folder)
  return [where, found?.label ?? page, found?.fields.find((field) => field.code === code)?.label ?? code]
    .filter((part) => part !== '' && part !== undefined)
    .join(' · ')
}
