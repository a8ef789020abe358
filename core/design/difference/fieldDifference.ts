import type { Choice } from '#core/form/definition/choiceLists.ts'
import type { Field } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'
import { jsonEqual } from '#core/json.ts'
import { STEP } from '#core/study/migration/choiceFate.ts'

/** How two definitions of one field differ, aspect by aspect, with what it was before and what it is now. */

/** Every aspect of a field that can change, in the order in which it is shown. */
export const fieldAspects = [
  'code',
  'label',
  'labelEn',
  'note',
  'noteEn',
  'placeholder',
  'placeholderEn',
  'type',
  'choices',
  'section',
  'sectionEn',
  'marks',
  'marksEn',
  'required',
  'show',
  'require',
  'readOnlyWhen',
  'calculate',
  'checks',
  'unit',
  'unitEn',
  'bounds',
  'plausible',
  'reference',
  'length',
  'precision',
  'partial',
  'validation',
  'initial',
  'hidden',
  'readOnly',
  'files',
  'rows',
  'lookUp',
  'unique',
  'encode',
  'identifier',
  'shape',
] as const
export type FieldAspect = (typeof fieldAspects)[number]

/**
 * What a change means for values that were entered before. `none`: nothing. `check`: they stay and are checked again.
 * `values`: they may lose their place or their meaning, so the migration plan has to say what becomes of them.
 */
export type ChangeWeight = 'none' | 'check' | 'values'

/**
 * One aspect of a field that differs. `from` and `to` are as the definition has them; for choices see `ChoiceChange`.
 */
export type AspectChange =
  | { readonly aspect: 'choices'; readonly weight: ChangeWeight; readonly choices: readonly ChoiceChange[] }
  | {
      readonly aspect: Exclude<FieldAspect, 'choices'>
      readonly weight: ChangeWeight
      readonly from: JsonValue
      readonly to: JsonValue
    }

/**
 * One choice of a list: new (`from` null), removed (`to` null), or with another label. A value on a lower level is
 * named with all levels above it.
 */
export interface ChoiceChange {
  readonly value: string
  readonly from: string | null
  readonly to: string | null
}

/** A field with the title of its section. */
export interface PlacedField {
  readonly field: Field
  readonly section: string
  readonly sectionEn: string | null
}

/** The aspects in which two definitions of a field differ; none where they are the same. */
export function fieldChanges(from: PlacedField, to: PlacedField): readonly AspectChange[] {
  const before = sides(from)
  const after = sides(to)
  return fieldAspects.flatMap((aspect): readonly AspectChange[] => {
    if (aspect === 'choices') {
      const choices = choiceChanges(from.field.choices, to.field.choices)
      return choices.length === 0
        ? []
        : [{ aspect, weight: choices.some((one) => one.to === null) ? 'values' : 'none', choices }]
    }
    return jsonEqual(before[aspect], after[aspect])
      ? []
      : [{ aspect, weight: WEIGHTS[aspect], from: before[aspect], to: after[aspect] }]
  })
}

/** The gravest weight of some changes. */
export function weightOf(changes: readonly { readonly weight: ChangeWeight }[]): ChangeWeight {
  if (changes.some(({ weight }) => weight === 'values')) return 'values'
  return changes.some(({ weight }) => weight === 'check') ? 'check' : 'none'
}

/** Of a list only removed choices affect values; the weights of all other aspects are given here. */
const WEIGHTS: Readonly<Record<Exclude<FieldAspect, 'choices'>, ChangeWeight>> = {
  code: 'check',
  label: 'none',
  labelEn: 'none',
  note: 'none',
  noteEn: 'none',
  placeholder: 'none',
  placeholderEn: 'none',
  type: 'values',
  section: 'none',
  sectionEn: 'none',
  marks: 'none',
  marksEn: 'none',
  required: 'check',
  show: 'check',
  require: 'check',
  readOnlyWhen: 'none',
  calculate: 'check',
  checks: 'check',
  unit: 'check',
  unitEn: 'none',
  bounds: 'check',
  plausible: 'check',
  reference: 'none',
  length: 'check',
  precision: 'check',
  partial: 'check',
  validation: 'check',
  initial: 'none',
  hidden: 'check',
  readOnly: 'none',
  files: 'check',
  rows: 'check',
  lookUp: 'check',
  unique: 'check',
  encode: 'none',
  identifier: 'none',
  shape: 'values',
}

type Sides = Readonly<Record<Exclude<FieldAspect, 'choices'>, JsonValue>>

function sides({ field, section, sectionEn }: PlacedField): Sides {
  return {
    code: field.code,
    label: field.label,
    labelEn: field.labelEn,
    note: field.note,
    noteEn: field.noteEn,
    placeholder: field.placeholder,
    placeholderEn: field.placeholderEn,
    type: field.type,
    section,
    sectionEn,
    marks: field.marks,
    marksEn: field.marksEn,
    required: field.required,
    show: field.show,
    require: field.require,
    readOnlyWhen: field.readOnlyWhen,
    calculate: field.calculate,
    checks: field.checks.map(({ id, when, severity, message }) => ({ id, when, severity, message: { ...message } })),
    unit: field.unit,
    unitEn: field.unitEn,
    bounds: [field.min, field.max],
    plausible: [field.plausible.min, field.plausible.max],
    reference: field.references.map(({ when, min, max }) => ({ when, min, max })),
    length: field.maxLength,
    precision: field.precision,
    partial: field.partial,
    validation: field.validation,
    initial: initialOf(field.initial),
    hidden: { ...field.hidden },
    readOnly: { ...field.readOnly },
    files: field.files === null ? null : { ...field.files },
    rows: { limit: field.limit, key: field.rowKey },
    lookUp: field.lookUp === null ? null : toJson(field.lookUp),
    unique: field.unique,
    encode: field.encode,
    identifier: field.identifier,
    // How a value is written, beyond its type.
    shape: { multiple: field.multiple, lastStep: field.lastStep, monthOfYear: field.monthOfYear },
  }
}

/** A stored initial value is JSON; a missing one counts as null. */
function initialOf(initial: unknown): JsonValue {
  return initial === undefined ? null : toJson(initial)
}

function toJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue
}

function choiceChanges(from: readonly Choice[], to: readonly Choice[]): readonly ChoiceChange[] {
  const before = labelChoices(from)
  const after = labelChoices(to)
  const changed = [...before].flatMap(([value, was]): readonly ChoiceChange[] => {
    const is = after.get(value)
    if (is === undefined) return [{ value, from: was.label, to: null }]
    if (is.label !== was.label) return [{ value, from: was.label, to: is.label }]
    return is.labelEn === was.labelEn ? [] : [{ value, from: inBoth(was), to: inBoth(is) }]
  })
  const added = [...after]
    .filter(([value]) => !before.has(value))
    .map(([value, { label }]) => ({ value, from: null, to: label }))
  return [...changed, ...added]
}

/** A choice's label in both languages, for a change of the English name. */
function inBoth({ label, labelEn }: Choice): string {
  return labelEn === undefined ? label : `${label} / ${labelEn}`
}

function labelChoices(
  choices: readonly Choice[],
  above: readonly string[] = [],
  into = new Map<string, Choice>(),
): ReadonlyMap<string, Choice> {
  for (const choice of choices) {
    const steps = [...above, choice.value]
    into.set(steps.join(STEP), choice)
    labelChoices(choice.children, steps, into)
  }
  return into
}
