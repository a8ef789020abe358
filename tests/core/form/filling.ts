import type { Column, PageOption } from '#core/form/definition/column.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { compilePage } from '#core/form/compiled/compile.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { OtherPages } from '#core/form/engine/otherPages.ts'
import { NO_OTHER_PAGES } from '#core/form/engine/otherPages.ts'
import { readPage } from '#core/form/definition/page.ts'
import type { PagePlace } from '#core/form/compiled/version.ts'
import { VersionPages } from '#core/form/compiled/version.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { JsonValue } from '#core/json.ts'

/** Pages and open forms for tests, in few words. */

export const MOMENT = { today: '2026-03-01', now: '2026-03-01 09:30:00' }

export const YES_NO = [
  { value: '1', label: 'Yes' },
  { value: '0', label: 'No' },
]

/** A compiled page of these columns. Fails loudly when they are no page. */
export function compiled(columns: readonly Column[] | PageOption): CompiledPage {
  const option = Array.isArray(columns) ? { column: columns } : columns
  const page = readPage(option)
  if (!page.ok) throw new Error(JSON.stringify(page.error))
  const result = compilePage(page.page)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return result.compiled
}

/** Pages that stand together in one visit, compiled, by their codes. Fails loudly where one is no page. */
export function compiledVisit(
  pages: readonly { readonly pageCode: string; readonly option: PageOption }[],
  folder = 'crf',
): ReadonlyMap<string, CompiledPage> {
  const version = new VersionPages([
    { folderCode: folder, pages: pages.map(({ pageCode, option }) => ({ pageCode, option: JSON.stringify(option) })) },
  ])
  return new Map(pages.map(({ pageCode }) => [pageCode, compiledIn(version, { folder, page: pageCode })]))
}

/** A page of a version, compiled where it stands. */
export function compiledIn(version: VersionPages, place: PagePlace): CompiledPage {
  const page = version.model(place.page)
  if (page === null) throw new Error(`no page ${place.page}`)
  const result = compilePage(page, { ...place, version })
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return result.compiled
}

export function entry(values: Readonly<Record<string, JsonValue>>): EntryData {
  return { values, missing: {} }
}

/** A form opened for entry on a page. */
export function opened(
  page: CompiledPage | readonly Column[],
  data: EntryData = entry({}),
  otherPages: OtherPages = NO_OTHER_PAGES,
): FormState {
  return createFormState('cells' in page ? page : compiled(page), data, { moment: MOMENT, readOnly: false, otherPages })
}

export const VITALS: readonly Column[] = [
  {
    prop: 'sex',
    label: '性别',
    type: 'radio',
    dicData: [
      { value: '0', label: '女' },
      { value: '1', label: '男' },
    ],
  },
  { prop: 'pregnant', label: '怀孕', type: 'radio', dicData: YES_NO, required: true, zl: { show: 'page.sex == "0"' } },
  { prop: 'weeks', label: '孕周', type: 'number', zl: { show: 'page.pregnant == "1"', min: 1, max: 42, precision: 0 } },
  { prop: 'height', label: '身高', type: 'number', zl: { unit: 'cm', min: 50, max: 250 } },
  { prop: 'weight', label: '体重', type: 'number', zl: { unit: 'kg' } },
  { prop: 'bmi', label: 'BMI', type: 'number', zl: { calculate: 'round(page.weight / pow(page.height / 100, 2), 1)' } },
  {
    prop: 'advice',
    label: '建议',
    type: 'textarea',
    zl: {
      require: 'page.bmi >= 28',
      checks: [
        { id: 'short', when: 'page.advice.size() < 4', severity: 'warning', message: { zh: '太短', en: 'too short' } },
      ],
    },
  },
]
