import type { Course } from '#server/demo/course/course.ts'
import { addDays } from '#server/demo/course/days.ts'
import type { Entered, Values } from '#server/demo/course/entered.ts'

/** Adverse events: which subject had which, and when. */

interface Event {
  /** Days after the first dose. */
  readonly after: number
  /** How many days it lasted. */
  readonly lasted: number
  readonly term: string
  readonly grade: '1' | '2' | '3'
  /** How likely the drug caused it: 1 certainly … 5 certainly not. */
  readonly related: '2' | '3' | '4' | '5'
  readonly action: '1' | '3' | '4'
  readonly note: string
  /** Why it was serious. */
  readonly serious?: readonly string[]
}

const LOOSE: Event = {
  after: 4,
  lasted: 3,
  term: '腹泻',
  grade: '1',
  related: '3',
  action: '1',
  note: '未处理，自行缓解。',
}
const FULL: Event = {
  after: 6,
  lasted: 5,
  term: '胃脘不适',
  grade: '1',
  related: '2',
  action: '1',
  note: '嘱饭后服药，症状消失。',
}
const COLD: Event = {
  after: 9,
  lasted: 6,
  term: '上呼吸道感染',
  grade: '1',
  related: '5',
  action: '1',
  note: '休息、多饮水。',
}
const DIZZY: Event = {
  after: 20,
  lasted: 2,
  term: '头晕',
  grade: '1',
  related: '4',
  action: '1',
  note: '测血压 128/76 mmHg，观察。',
}
const RASH: Event = {
  after: 11,
  lasted: 7,
  term: '皮疹',
  grade: '2',
  related: '2',
  action: '3',
  note: '停药 3 天，口服氯雷他定，消退后恢复用药。',
}
const LIVER: Event = {
  after: 28,
  lasted: 21,
  term: 'ALT 升高',
  grade: '2',
  related: '3',
  action: '1',
  note: '加服保肝药，4 周后复查恢复正常。',
}
const UNSTABLE: Event = {
  after: 16,
  lasted: 8,
  term: '不稳定型心绞痛',
  grade: '3',
  related: '4',
  action: '4',
  note: '收住心内科，抗血小板、抗凝治疗，行冠脉介入治疗后好转出院，退出研究。',
  serious: ['3'],
}
const SLEEPLESS: Event = {
  after: 8,
  lasted: 45,
  term: '失眠',
  grade: '1',
  related: '4',
  action: '1',
  note: '睡眠卫生宣教，继续观察。',
}
const FRACTURE: Event = {
  after: 31,
  lasted: 20,
  term: '桡骨远端骨折',
  grade: '2',
  related: '5',
  action: '1',
  note: '路滑跌倒所致，住院手法复位、石膏固定。',
  serious: ['3'],
}

const EVENTS: ReadonlyMap<string, readonly Event[]> = new Map([
  ['01-003', [LOOSE]],
  ['01-004', [FULL, UNSTABLE]],
  ['01-009', [COLD]],
  ['01-012', [LOOSE, COLD, DIZZY]],
  ['01-014', [FULL]],
  ['01-017', [COLD]],
  ['01-020', [LOOSE]],
  ['02-002', [LIVER]],
  ['02-006', [FULL, FRACTURE]],
  ['02-010', [DIZZY]],
  ['02-014', [RASH]],
  ['02-016', [SLEEPLESS]],
  ['03-001', [COLD]],
  ['03-004', [FULL, DIZZY]],
  ['03-006', [RASH]],
  ['03-011', [LOOSE]],
])

/** One page for each event that has begun. Without any event, a page that says so. */
export function adverseEventsOf({ subject, dayOf }: Course, madeOn: string): readonly Entered[] {
  const begun = (EVENTS.get(subject.no) ?? []).filter(({ after }) => addDays(dayOf('BL'), after) <= madeOn)
  if (begun.length === 0) return [{ values: { ae_any: '0' } }]
  return begun.map((event) => ({ values: pageOf(event, addDays(dayOf('BL'), event.after), madeOn) }))
}

function pageOf({ lasted, term, grade, related, action, note, serious }: Event, start: string, madeOn: string): Values {
  const end = addDays(start, lasted)
  const over = end <= madeOn
  return {
    ae_any: '1',
    ae_term: term,
    ae_start: start,
    ae_ongoing: over ? '0' : '1',
    ...(over ? { ae_end: end } : {}),
    ae_grade: grade,
    ae_related: related,
    ae_action: action,
    ae_outcome: over ? '1' : '2',
    ae_note: note,
    ae_serious: serious === undefined ? '0' : '1',
    // It is known within hours, and reported by the next day.
    ...(serious === undefined ? {} : { sae_kind: serious, sae_known: start, sae_reported: start }),
  }
}
