import { describe, expect, it } from 'vitest'
import type { ClinicalSubject, ClinicalTrailLine } from '#core/exchange/clinical/subject.ts'
import type { CasebookOptions } from '#core/exchange/paper/casebook.ts'
import { casebookDocument } from '#core/exchange/paper/casebook.ts'
import type { PaperBlock, PaperDocument } from '#core/exchange/paper/document.ts'
import { PaperStudy } from '#core/exchange/paper/study.ts'
import {
  BASELINE,
  DRUGS,
  EVENT,
  EVERYTHING,
  FIRST,
  MISFITS,
  NURSE,
  ROWS,
  SECOND,
  STUDY,
  SUBJECTS,
  VALUES,
  idOf,
  pageOf,
  queryOn,
  subjectOf,
} from '#tests/core/exchange/clinical/study.ts'

/** The casebook of a subject for paper: what stands where, in which words. */

const paper = new PaperStudy(STUDY)

function documentOf(subject: ClinicalSubject, more: Partial<CasebookOptions> = {}): PaperDocument {
  return casebookDocument(paper, subject, {
    language: 'zh',
    madeAt: '2026-11-30T08:00:00.000Z',
    madeBy: '陈数管',
    position: '17 (ab)',
    run: '归档',
    purpose: '归档',
    withQueries: true,
    pictures: null,
    leaves: () => true,
    ...more,
  })
}

function blocksOf(document: PaperDocument, title: string): readonly PaperBlock[] {
  return document.parts.filter((part) => part.title === title).flatMap(({ blocks }) => blocks)
}

/** Rows of all tables of a part as texts: lines of a cell with ` | ` between them. */
function rowsOf(document: PaperDocument, title: string): readonly (readonly string[])[] {
  return blocksOf(document, title).flatMap((block) =>
    block.kind === 'table' ? block.rows.map((row) => row.map((cell) => cell.map(({ t }) => t).join(' | '))) : [],
  )
}

const [first, second] = SUBJECTS
const whole = (subject: ClinicalSubject | undefined): ClinicalSubject => {
  if (subject === undefined) throw new Error('no subject')
  return subject
}

describe('a casebook', () => {
  it('has a part for each visit and each page in it, repeats by their numbers', () => {
    const parts = documentOf(whole(second)).parts.map(({ level, title, onNewSheet }) => [level, title, onNewSheet])
    expect(parts).toEqual([
      [1, '基线', true],
      [2, '不良事件', false],
      [2, '不良事件（二录）', false],
      [1, '计划外访视（第 1 次）', true],
      [2, '全部字段', false],
      [1, '计划外访视（第 2 次）', true],
      [2, '全部字段', false],
    ])
  })

  it('says every answer in the words of its field', () => {
    const rows = new Map(rowsOf(documentOf(whole(first)), '全部字段').map(([label, answer]) => [label, answer]))
    for (const [code, answer] of [
      ['whole', '120 mmHg'],
      ['grade', '重度 [2]'],
      ['yes', '否 [0]'],
      ['several', '轻度 [1] | 其他 [a,"b]'],
      ['place', '浙江 / 杭州 [zj/hz]'],
      ['places', '浙江 / 杭州 [zj/hz] | 浙江 / 宁波 [zj/nb]'],
      ['last', '宁波 [nb]'],
      ['week', '2024 年第 19 周，2024-05-06 至 2024-05-12'],
      ['partly', '2024-05（日未知）'],
      ['openDays', '2024-05-06 至 …'],
      ['photo', '化验单,1.jpg | b.pdf'],
    ])
      expect([code, rows.get(`字段 ${code ?? ''}`)]).toEqual([code, answer])
  })

  it('keeps what is none of its field as it was entered', () => {
    const subject = subjectOf('1', [pageOf(EVERYTHING, { ...VALUES, ...MISFITS })])
    const rows = new Map(rowsOf(documentOf(subject), '全部字段').map(([label, answer]) => [label, answer]))
    expect(rows.get('字段 whole')).toBe('约70 mmHg')
    expect(rows.get('字段 grade')).toBe('9 (不在选项中)')
    expect(rows.get('字段 date')).toBe('2024-02-31')
  })

  it('says why a value is missing, in rows too, and what nobody entered', () => {
    const document = documentOf(whole(first))
    expect(rowsOf(document, '合并用药')).toContainEqual([
      '1',
      '阿司匹林',
      '约100 mg',
      '轻度 [1]',
      '未做 (ND) — 患者拒绝 <拒>',
    ])
    expect(rowsOf(document, '合并用药')).toContainEqual(['字段 taken', '不详 (UNK)'])
    expect(rowsOf(documentOf(subjectOf('1', [pageOf(EVENT, {})])), '不良事件')).toContainEqual(['字段 term', '未填写'])
  })

  it('leaves out what rules hide, and every place of a field that does not leave', () => {
    const page = pageOf(DRUGS, { drugs: ROWS, taken: '1' }, { hidden: ['taken', `drugs.${idOf(71)}.dose`] })
    const document = documentOf(subjectOf('1', [page]), { leaves: (_page, _table, code) => code !== 'route' })
    const text = JSON.stringify(document)
    for (const gone of ['字段 taken', '字段 route', '约100', '删除了']) expect(text).not.toContain(gone)
    expect(text).toContain('200.5 mg')
  })

  it('lists values without a field, and what a release kept', () => {
    const retired = {
      'old.x': { table: null, code: 'old', value: '旧值', missing: null, label: '旧字段', text: '旧值' },
    }
    const page = pageOf(EVENT, { term: '头痛', gone: 'x' }, { versionId: SECOND, retired })
    const rows = rowsOf(documentOf(subjectOf('1', [page])), '不良事件')
    expect(rows).toContainEqual(['gone', 'x'])
    expect(rows).toContainEqual(['旧字段', '旧值'])
  })

  it('lists the values of a page whose definition is not there by their codes', () => {
    const page = pageOf(EVENT, { term: '头痛' }, { versionId: idOf(99) })
    expect(rowsOf(documentOf(subjectOf('1', [page])), EVENT)).toContainEqual(['term', '头痛'])
  })

  it('has the queries of a page with it, and the others at its end', () => {
    const ofVisit = queryOn({ pageId: null, pageRepeat: null, pass: null, code: null }, { id: idOf(83), no: 14 })
    const subject = { ...whole(first), queries: [...whole(first).queries, ofVisit] }
    const document = documentOf(subject)
    expect(rowsOf(document, '全部字段').at(-1)).toEqual([
      '质疑 12 | 字段 whole | 已答复',
      '提出 · Monitor <M> · 2026-07-02 08:00:00 | 请核对 <源文件> | 答复 · 王护士 · 2026-07-03 08:00:00 | 核实无误、已核对',
    ])
    expect(document.parts.at(-1)?.title).toBe('其他质疑')
    const without = documentOf(subject, { withQueries: false })
    expect(JSON.stringify(without.parts)).not.toContain('请核对')
  })

  it('has the trail of a page with it: when, who, what, from and to, why', () => {
    const page = pageOf(EVENT, { term: '头痛' })
    const line: ClinicalTrailLine = {
      seq: 9,
      ord: 1,
      action: 'item.update',
      opKey: null,
      place: { folderId: BASELINE, folderRepeat: '0', pageId: EVENT, pageRepeat: '0' },
      pass: 1,
      table: null,
      rid: null,
      prop: 'grade',
      versionId: FIRST,
      oldValue: { value: '1', missing: null },
      newValue: { value: null, missing: { m: 'NA', reason: '未发生' } },
      reasonCode: 'transcription',
      reasonText: '笔误',
      userId: NURSE,
      occurredAt: '2026-07-01T01:00:00.000Z',
      receivedAt: '2026-07-01T01:02:03.000Z',
      redacted: false,
    }
    const subject = subjectOf('1', [page], { trail: [line, { ...line, redacted: true, userId: null, ord: 2 }] })
    expect(rowsOf(documentOf(subject), '不良事件').slice(-2)).toEqual([
      [
        '2026-07-01 09:02:03 | 设备时间 2026-07-01 09:00:00',
        '王护士',
        '字段 grade | 录入或修改',
        '轻度 [1] → 不适用 (NA) — 未发生',
        '转录错误 | 笔误',
      ],
      [
        '2026-07-01 09:02:03 | 设备时间 2026-07-01 09:00:00',
        '系统',
        '字段 grade | 录入或修改',
        '内容已按规程删除',
        '转录错误 | 笔误',
      ],
    ])
  })

  it('has pictures where they come with it, and names those that do not', () => {
    const hash = 'a'.repeat(64)
    const pictures = (fate: CasebookOptions['pictures']) =>
      blocksOf(documentOf(whole(first), { pictures: fate }), '全部字段').filter(({ kind }) => kind === 'pictures')
    expect(pictures(null)).toEqual([])
    expect(pictures(new Map([[hash, { file: 'p.jpg' }]]))).toEqual([
      { kind: 'pictures', pictures: [{ file: 'p.jpg', caption: '化验单,1.jpg' }] },
    ])
    expect(pictures(new Map())).toEqual([
      { kind: 'pictures', pictures: [{ file: null, caption: '化验单,1.jpg — 服务器上没有此文件，未打印' }] },
    ])
  })

  it('says of whom, when and by whom it was made, in the language asked for', () => {
    const { facts, head, foot, title } = documentOf(whole(first), { language: 'en' })
    expect(title).toBe('Case report form')
    expect(head).toEqual(['测试研究 <1>', 'Subject number: 01-001'])
    expect(foot).toBe('Made 2026-11-30 16:00:00 by 陈数管')
    expect(facts).toContainEqual(['Place in the audit trail', '17 (ab)'])
  })
})
