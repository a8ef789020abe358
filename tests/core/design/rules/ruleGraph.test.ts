import { describe, expect, it } from 'vitest'
import { designOf } from '#core/design/design.ts'
import { circleClosedBy } from '#core/design/rules/ruleCircle.ts'
import { around, fieldKey, ruleGraph } from '#core/design/rules/ruleGraph.ts'
import type { RuleKey } from '#core/design/rules/ruleList.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'

/** Which fields the rules of which read, over pages, and circles that a rule would close. */

const field = (prop: string, zl: object = {}) => ({ prop, label: prop, type: 'number', zl })
const page = (id: string, column: readonly object[]): FolderRow['pages'][number] => ({
  id,
  pageName: id,
  pageCode: id,
  repeatable: false,
  sort: 1,
  option: JSON.stringify({ column }),
})
const design = designOf([
  {
    id: 'f',
    folderName: '筛选',
    folderCode: 'V1',
    sort: 1,
    pages: [
      page('base', [
        field('weight'),
        field('height'),
        field('bmi', { calculate: 'page.weight / page.height' }),
        {
          prop: 'drugs',
          label: '',
          type: 'dynamic',
          children: { column: [field('dose', { show: 'page.bmi > 1.0 && row.days > 2' }), field('days')] },
        },
      ]),
      page('dose', [
        field('daily', { calculate: 'form.V1.base.bmi * 2' }),
        field('note', {
          show: 'page.daily > 3',
          checks: [{ id: 'c', when: 'page.note > 1', severity: 'error', message: { zh: '核对' } }],
        }),
      ]),
    ],
  },
])
const key = (pageId: string, prop: string, table: string | null = null) => fieldKey({ pageId, table, prop })
const rule = (pageId: string, prop: string, kind: RuleKey['kind']): RuleKey => ({
  pageId,
  table: null,
  prop,
  kind,
  checkId: null,
})

describe('dependencies', () => {
  it('go two steps up and two down from a field, over pages and rows of tables', () => {
    const levels = new Map(around(ruleGraph(design), key('base', 'bmi')).fields.map((one) => [one.key, one.level]))
    expect(levels).toEqual(
      new Map([
        [key('base', 'bmi'), 0],
        [key('base', 'dose', 'drugs'), 1],
        [key('base', 'height'), -1],
        [key('base', 'weight'), -1],
        [key('dose', 'daily'), 1],
        [key('dose', 'note'), 2],
      ]),
    )
    expect(around(ruleGraph(design), key('dose', 'note')).edges).toContainEqual({
      from: key('base', 'bmi'),
      to: key('dose', 'daily'),
    })
  })
})

describe('a rule that closes a circle', () => {
  it('is found on one page and over several, with the way round; one that closes none is not', () => {
    expect(circleClosedBy(design, rule('base', 'weight', 'show'), 'page.bmi > 3')).toEqual(
      expect.arrayContaining(['weight', 'bmi']),
    )
    expect(circleClosedBy(design, rule('base', 'height', 'calculate'), 'visit.dose.daily')?.join(' ')).toMatch(
      /V1\/base\/height.*V1\/dose\/daily|V1\/dose\/daily.*V1\/base\/height/,
    )
    expect(circleClosedBy(design, rule('base', 'weight', 'show'), 'page.height > 3')).toBeNull()
    // What only asks for an answer makes nothing wait.
    expect(circleClosedBy(design, rule('base', 'weight', 'require'), 'page.bmi > 3')).toBeNull()
    expect(circleClosedBy(design, rule('base', 'bmi', 'calculate'), '')).toBeNull()
  })
})
