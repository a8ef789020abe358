import type { DefinedPage } from '#core/exchange/definition.ts'
import { compilePage } from '#core/form/compiled/compile.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isChoice, isCollected, readPage } from '#core/form/definition/page.ts'
import { isList, valueText } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'

/** What one field is given, as a hand gives it. */
export type Answer =
  | { readonly prop: string; readonly by: 'typing'; readonly typed: string }
  /** Codes of the choices, of which a field of one choice has one. */
  | {
      readonly prop: string
      readonly by: 'choosing'
      readonly several: boolean
      readonly choices: readonly { readonly code: string; readonly label: string }[]
    }

/** Stands in every text that is planned, and in nothing else: whoever finds it has found an entered value. */
export const MARK = 'Zqplanted'

/** Before the day on which anybody runs this: a dictionary's own limit of many dates is today. */
const FIRST_DAY = Date.UTC(2025, 0, 6)
const DAY_MS = 86_400_000
const MOMENT = { today: '2026-01-05', now: '2026-01-05 09:00:00' }
/** Choices that are tried for how many fields they open; a list of hundreds is a list of things that open the same. */
const MOST_TRIED = 12
/** Limits that are so far apart have enough whole numbers between them. */
const WIDE = 20

/**
 * A page of a dictionary, and the answers that a plan made of it gives to its fields. The same dictionary always gives
 * the same plan. A form engine takes each answer, so that it is known what the page shows after it.
 */
export class PlannedPage {
  readonly code: string
  readonly name: string
  readonly #state: FormState
  readonly #fields: readonly Field[]

  constructor({ pageCode, pageName, option }: DefinedPage) {
    const page = readPage(option)
    const result = page.ok ? compilePage(page.page) : null
    if (!page.ok || result?.ok !== true) throw new Error(`${pageCode} is not a page`)
    this.code = pageCode
    this.name = pageName
    this.#fields = page.page.fields
    this.#state = createFormState(result.compiled, { values: {}, missing: {} }, { moment: MOMENT, readOnly: false })
  }

  /** Fields that are on the screen, in reading order. */
  visible(): readonly string[] {
    return this.#fields.flatMap(({ code }) => (this.#isVisible(code) ? [code] : []))
  }

  /** Visible fields that must be answered, in reading order. */
  required(): readonly string[] {
    return this.#fields.flatMap(({ code }) => (this.#state.getCell(code)?.required === true ? [code] : []))
  }

  /** Everything that the page holds, hidden values included, by field. */
  values(): Readonly<Record<string, JsonValue>> {
    return this.#state.data().values
  }

  label(prop: string): string {
    return this.#fields.find((field) => field.code === prop)?.label ?? ''
  }

  value(prop: string): JsonValue | null {
    return this.#state.getCell(prop)?.value ?? null
  }

  /** A value as text; empty where there is none. */
  text(prop: string): string {
    return valueText(this.value(prop))
  }

  /** What a person reads beside each label on the screen, in Chinese, without units. */
  shown(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.#fields.flatMap((field) =>
        this.#isVisible(field.code) ? [[field.code, wordsOf(field, this.value(field.code))]] : [],
      ),
    )
  }

  /**
   * Answers the visible fields without a value, in reading order and those that open on the way as well, each as it is
   * given out.
   *
   * @param leaving fields that are left as they are
   * @param upTo the field before which it stops
   */
  *answers({
    leaving = [],
    upTo,
  }: { readonly leaving?: readonly string[]; readonly upTo?: string } = {}): Generator<Answer> {
    for (;;) {
      const next = this.#fields.find(
        (field) =>
          this.#isVisible(field.code) &&
          isCollected(field) &&
          field.type !== 'upload' &&
          this.value(field.code) === null &&
          !leaving.includes(field.code),
      )
      if (next === undefined || next.code === upTo) return
      yield this.answer(next.code)
    }
  }

  /** The next answer to a field: the one that opens most others, or the one given. It is taken. */
  answer(prop: string, code?: string): Answer {
    const field = this.#fields.find((one) => one.code === prop)
    if (field === undefined) throw new Error(`${this.code} has no ${prop}`)
    const before = this.value(prop)
    const value = code === undefined ? this.#planned(field) : valueOfChoice(field, code)
    if (typeof value === 'string' && !isChoice(field)) this.#state.setText(prop, value)
    else this.#state.setValue(prop, value)
    const after = this.#state.getCell(prop)
    if (after === undefined || after.issues.length > 0 || after.value === null || after.value === before) {
      throw new Error(`no answer is known to ${prop}: ${JSON.stringify(value)} ${JSON.stringify(after?.issues)}`)
    }
    if (!isChoice(field)) return { prop, by: 'typing', typed: valueText(value) }
    const codes = isList(value) ? value.map(valueText) : [valueText(value)]
    return {
      prop,
      by: 'choosing',
      several: isList(value),
      choices: codes.map((chosen) => ({ code: chosen, label: wordsOf(field, chosen) })),
    }
  }

  /** The answered choice of which another answer hides the most answered fields, with that answer. */
  closing(): {
    readonly prop: string
    readonly open: string
    readonly closed: string
    readonly hides: readonly string[]
  } {
    const answered = (): readonly string[] => this.visible().filter((prop) => this.value(prop) !== null)
    const before = answered()
    let best = { prop: '', open: '', closed: '', hides: [] as readonly string[] }
    for (const field of this.#fields) {
      const open = this.value(field.code)
      if (!isOneChoice(field) || typeof open !== 'string' || !before.includes(field.code)) continue
      for (const { value: closed } of field.choices) {
        this.#state.setValue(field.code, closed)
        const after = new Set(answered())
        const hides = before.filter((prop) => !after.has(prop))
        if (hides.length > best.hides.length) best = { prop: field.code, open, closed, hides }
      }
      this.#state.setValue(field.code, open)
    }
    if (best.hides.length === 0) throw new Error(`nothing on ${this.code} can be closed`)
    return best
  }

  #isVisible(prop: string): boolean {
    return this.#state.getCell(prop)?.visible === true
  }

  /** What is entered: a text to type, or codes to choose. */
  #planned(field: Field): JsonValue {
    const at = this.#fields.indexOf(field)
    if (isChoice(field)) return this.#opening(field, at)
    if (field.type === 'number') return String(inRange(field, at))
    // As a keypad of figures is used for it.
    if (field.type === 'date') return new Date(dayOf(field, at)).toISOString().slice(0, 10).replaceAll('-', '')
    if (field.type === 'time') return `${String(at % 24).padStart(2, '0')}${String((at * 7) % 60).padStart(2, '0')}`
    return `${MARK} ${at} ${field.label.slice(0, 20).trim()} 赤芍`.slice(0, field.maxLength ?? undefined)
  }

  /** The choice that opens the most fields; of those that open as many, one after the other from field to field. */
  #opening(field: Field, at: number): JsonValue {
    const tried =
      field.choices.length <= MOST_TRIED
        ? field.choices
        : [...field.choices.slice(0, MOST_TRIED - 1), ...field.choices.slice(-1)]
    const opened = tried.map(({ value }) => {
      this.#state.setValue(field.code, valueOfChoice(field, value))
      return this.visible().length
    })
    const most = Math.max(...opened)
    const best = tried.filter((_, place) => opened[place] === most)
    this.#state.setValue(field.code, null)
    const chosen = best[at % best.length]?.value ?? ''
    if (isOneChoice(field)) return chosen
    // Of several, one more: what is kept is a list.
    const other = field.choices.find(({ value }) => value !== chosen)?.value
    return field.choices.map(({ value }) => value).filter((value) => value === chosen || value === other)
  }
}

function isOneChoice(field: Field): boolean {
  return isChoice(field) && field.type !== 'checkbox' && !field.multiple
}

function valueOfChoice(field: Field, code: string): JsonValue {
  return isOneChoice(field) ? code : [code]
}

/** A day: one after the other from field to field, and well after the first that may be where there is one. */
function dayOf({ min }: Field, at: number): number {
  return typeof min === 'string' ? (Date.parse(min) + FIRST_DAY) / 2 : FIRST_DAY + at * DAY_MS
}

/** A number within the limits of its field: a whole one where there is room for it. */
function inRange({ min, max, precision }: Field, at: number): number {
  const [low, high] = [Number(min ?? 0), Number(max ?? Number(min ?? 0) + 100)]
  // Somewhere between the ends, never on one of them.
  const share = ((at % 7) + 1) / 9
  return Number((low + (high - low) * share).toFixed(high - low < WIDE ? Math.min(precision ?? 1, 1) : 0))
}

/** A value in the words of the Chinese screen: what a choice is called, and the rest as it is stored. */
function wordsOf(field: Field, value: JsonValue | null): string {
  const items = isList(value) ? value : value === null ? [] : [value]
  return items.map((item) => labelOf(field, valueText(item))).join('、')
}

function labelOf(field: Field, code: string): string {
  if (field.widget === 'yesno' && (code === '1' || code === '0')) return code === '1' ? '是' : '否'
  return field.choices.find(({ value }) => value === code)?.label ?? code
}
