import type { Column, FieldType } from '#core/form/definition/column.ts'
import { requiredColumn } from '#core/form/definition/requiredColumn.ts'

import { FIELDS, TYPES, YES } from './layout.ts'

/**
 * A column as the cells of a row, and back. What the cells do not say stands in the last of them, as JSON, so that
 * nothing is lost on the way.
 */

export type Cells = Readonly<Record<string, string>>

/** Parts of a column that its cells say, without choices and checks. */
export function columnFromCells(cells: Cells, type: FieldType): Column {
  const text = (title: string) => cells[title] ?? ''
  const zl = {
    ...(text(FIELDS.english) === '' ? {} : { labels: { zh: text(FIELDS.label), en: text(FIELDS.english) } }),
    ...(text(FIELDS.unit) === '' ? {} : { unit: text(FIELDS.unit) }),
    ...(text(FIELDS.unitEnglish) === '' ? {} : { unitEn: text(FIELDS.unitEnglish) }),
    ...(text(FIELDS.min) === '' ? {} : { min: boundFrom(text(FIELDS.min)) }),
    ...(text(FIELDS.max) === '' ? {} : { max: boundFrom(text(FIELDS.max)) }),
    ...(text(FIELDS.plausibleMin) === '' && text(FIELDS.plausibleMax) === ''
      ? {}
      : {
          plausible: {
            ...(text(FIELDS.plausibleMin) === '' ? {} : { min: boundFrom(text(FIELDS.plausibleMin)) }),
            ...(text(FIELDS.plausibleMax) === '' ? {} : { max: boundFrom(text(FIELDS.plausibleMax)) }),
          },
        }),
    ...(/^\d{1,2}$/.test(text(FIELDS.precision)) ? { precision: Number(text(FIELDS.precision)) } : {}),
    ...(text(FIELDS.note) === '' ? {} : { note: text(FIELDS.note) }),
    ...(text(FIELDS.noteEnglish) === '' ? {} : { noteEn: text(FIELDS.noteEnglish) }),
    ...(text(FIELDS.identifier) === YES ? { identifier: true } : {}),
    ...(text(FIELDS.show) === '' ? {} : { show: text(FIELDS.show) }),
    ...(text(FIELDS.require) === '' ? {} : { require: text(FIELDS.require) }),
    ...(text(FIELDS.readOnlyWhen) === '' ? {} : { readOnlyWhen: text(FIELDS.readOnlyWhen) }),
    ...(text(FIELDS.calculate) === '' ? {} : { calculate: text(FIELDS.calculate) }),
  }
  return {
    prop: text(FIELDS.code),
    label: text(FIELDS.label),
    type,
    ...(text(FIELDS.required) === YES ? { required: true } : {}),
    ...(text(FIELDS.value) === '' ? {} : { value: text(FIELDS.value) }),
    ...(Object.keys(zl).length === 0 ? {} : { zl }),
  }
}

/** What a row means that a person filled in: a form needs a little more than its cells say. */
export function withDefaults(column: Column): Column {
  const formats: Partial<Record<FieldType, string>> = {
    date: 'yyyy-MM-dd',
    datetime: 'yyyy-MM-dd HH:mm:ss',
    time: 'HH:mm:ss',
    year: 'yyyy',
    month: 'yyyy-MM',
  }
  const format = formats[column.type]
  return {
    ...column,
    span: 24,
    ...(format === undefined ? {} : { format, valueFormat: format }),
    ...(column.required === true ? { rules: requiredColumn(column.label).rules } : {}),
  }
}

export function cellsFromColumn(column: Column): Cells {
  const { zl = {} } = column
  const writeBound = (value: number | string | undefined) =>
    value === undefined || boundFrom(String(value)) !== value ? '' : String(value)
  return {
    [FIELDS.code]: column.prop,
    [FIELDS.label]: column.label,
    [FIELDS.english]: zl.labels?.zh === column.label ? (zl.labels.en ?? '') : '',
    [FIELDS.type]: TYPES[column.type],
    [FIELDS.required]: column.required === true ? YES : '',
    [FIELDS.unit]: zl.unit ?? '',
    [FIELDS.unitEnglish]: zl.unitEn ?? '',
    [FIELDS.min]: writeBound(zl.min),
    [FIELDS.max]: writeBound(zl.max),
    [FIELDS.plausibleMin]: writeBound(zl.plausible?.min),
    [FIELDS.plausibleMax]: writeBound(zl.plausible?.max),
    [FIELDS.precision]: zl.precision === undefined ? '' : String(zl.precision),
    [FIELDS.note]: zl.note ?? '',
    [FIELDS.noteEnglish]: zl.noteEn ?? '',
    [FIELDS.value]: typeof column.value === 'string' ? column.value : '',
    [FIELDS.identifier]: zl.identifier === true ? YES : '',
    [FIELDS.show]: zl.show ?? '',
    [FIELDS.require]: zl.require ?? '',
    [FIELDS.readOnlyWhen]: zl.readOnlyWhen ?? '',
    [FIELDS.calculate]: zl.calculate ?? '',
  }
}

function boundFrom(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text
}

/**
 * What a column says beyond another one: its own parts, and those that it says differently. Null where there is
 * nothing.
 */
export function restOf(column: Column, said: Column): string | null {
  const differing = (own: object, other: object) => {
    const known = new Map<string, unknown>(Object.entries(other))
    return Object.fromEntries(
      Object.entries(own).filter(
        ([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(known.get(key)),
      ),
    )
  }
  const { zl, ...plain } = column
  const { zl: saidZl = {}, ...saidPlain } = said
  const zlRest = zl === undefined ? null : differing(zl, saidZl)
  const isEmptied = zl !== undefined && Object.keys(zl).length === 0
  const rest = {
    ...differing(plain, saidPlain),
    ...(zlRest !== null && (Object.keys(zlRest).length > 0 || isEmptied) ? { zl: zlRest } : {}),
  }
  return Object.keys(rest).length === 0 ? null : JSON.stringify(rest)
}

/** A column with what stands in its last cell. @param rest a JSON object */
export function withRest(column: Column, rest: Readonly<Record<string, unknown>>): unknown {
  const { zl, ...plain } = rest
  const own = typeof zl === 'object' && zl !== null ? zl : undefined
  return {
    ...column,
    ...plain,
    ...(column.zl === undefined && own === undefined ? {} : { zl: { ...column.zl, ...own } }),
  }
}
