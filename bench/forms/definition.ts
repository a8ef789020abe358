import type { Column, DictionaryItem, PageOption } from '#core/form/definition/column.ts'

/**
 * The form that is measured: blocks of twenty fields, as a case report form mixes them, with a calculation, a
 * conditional field and a check in every block. One choice, at the end of the first block, shows or hides the twenty
 * fields of the second.
 */

export const BLOCK = 20

/** The number field that is typed into; a calculation and its block's total depend on it. */
export const TYPED = 'f1'
/** The choice that shows the second block when it is '1'. */
export const GATE = 'f19'

/** A page option with this many fields, a multiple of the block. */
export function formOption(size: number): PageOption {
  const blocks = Array.from({ length: Math.ceil(size / BLOCK) }, (_, block) => columnsOf(block))
  return {
    column: [],
    group: blocks.map((column, at) => ({ label: `第${at + 1}部分`, prop: `section_${at + 1}`, column })),
    labelPosition: 'top',
  }
}

function columnsOf(block: number): readonly Column[] {
  const first = block * BLOCK
  const name = (at: number) => `f${first + at}`
  const column = (at: number, type: Column['type'], more: Partial<Column> = {}): Column => {
    const show = block === 1 ? `page.${GATE} == "1"` : more.zl?.show
    const zl = { ...more.zl, ...(show === undefined ? {} : { show }) }
    return { prop: name(at), label: `项目 ${first + at + 1}`, type, ...more, zl }
  }
  return [
    column(0, 'radio', { dicData: choices(2) }),
    column(1, 'number', { zl: { min: 0, max: 100_000, unit: 'mg' } }),
    column(2, 'number', { zl: { precision: 1 } }),
    column(3, 'number'),
    column(4, 'number', { zl: { calculate: `round(page.${name(1)} / (page.${name(2)} + 1), 2)` } }),
    column(5, 'select', { dicData: choices(12) }),
    column(6, 'date'),
    column(7, 'checkbox', { dicData: choices(5) }),
    column(8, 'textarea'),
    column(9, 'radio', { dicData: choices(3) }),
    column(10, 'input', { required: true }),
    column(11, 'input'),
    column(12, 'input', { maxlength: 40 }),
    column(13, 'input'),
    column(14, 'input', { zl: { show: `page.${name(0)} == "1"` } }),
    column(15, 'number', {
      zl: {
        checks: [
          { id: 'high', when: `page.${name(15)} > page.${name(1)}`, severity: 'warning', message: { zh: '偏高' } },
        ],
      },
    }),
    column(16, 'date'),
    column(17, 'select', { dicData: choices(8) }),
    column(18, 'input'),
    column(19, 'radio', { dicData: choices(2) }),
  ]
}

/** What is in the form when it opens. */
export function valuesOf(size: number): Readonly<Record<string, string | number>> {
  const values: Record<string, string | number> = { [GATE]: '0' }
  for (let first = 0; first < size; first += BLOCK) {
    values[`f${first}`] = '1'
    values[`f${first + 2}`] = 3
    values[`f${first + 10}`] = '已填写'
  }
  return values
}

/**
 * A table as coordinators fill it: six columns, one of them calculated from two others in its row, and a total over all
 * rows below it.
 */
export const TABLE: PageOption = {
  column: [
    {
      prop: 'drugs',
      label: '合并用药',
      type: 'dynamic',
      children: {
        column: [
          { prop: 'drug', label: '药名', type: 'input', required: true },
          { prop: 'dose', label: '单次剂量', type: 'number', zl: { unit: 'mg', min: 0 } },
          { prop: 'times', label: '每日次数', type: 'number' },
          { prop: 'daily', label: '日剂量', type: 'number', zl: { unit: 'mg', calculate: 'row.dose * row.times' } },
          { prop: 'from', label: '开始日期', type: 'date' },
          { prop: 'why', label: '用药原因', type: 'select', dicData: choices(8) },
        ],
      },
    },
    { prop: 'total', label: '日剂量合计', type: 'number', zl: { calculate: 'sum(page.drugs.map(one, one.daily))' } },
  ],
}

/** The rows that are in the table when it opens. */
export function tableRows(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    _rid: `row-${at}`,
    _ord: String(at).padStart(6, '0'),
    drug: `药物 ${at}`,
    dose: at + 1,
    times: 2,
    daily: (at + 1) * 2,
    from: '2026-02-01',
    why: String(at % 8),
  }))
}

function choices(count: number): readonly DictionaryItem[] {
  return Array.from({ length: count }, (_, at) => ({ value: String(at), label: `选项 ${at}` }))
}
