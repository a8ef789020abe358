import { describe, expect, test } from 'vitest'
import { fileOf, questionOf, readQueryFile } from '#src/screens/query/readQueryFile.ts'
import type { FileLine } from '#src/screens/query/readQueryFile.ts'

/** What a file of questions says, however a spreadsheet has saved it. */

const utf8 = (text: string) => new TextEncoder().encode(text)

function linesOf(bytes: Uint8Array): readonly FileLine[] {
  const read = readQueryFile(bytes)
  if (!read.ok) throw new Error(read.problem.kind)
  return read.lines
}

function problemOf(text: string) {
  const read = readQueryFile(utf8(text))
  return read.ok ? null : read.problem
}

describe('a file of questions', () => {
  test('is read with its headers in either language, in any order, with columns that nobody asked for', () => {
    const chinese =
      '质疑内容,受试者编号,访视,页面,字段,截止,负责人\r\n请核对,N01-001,基线,生命体征,体重,2026-12-24,王\r\n'
    const english = 'Subject,Visit,Page,Field,Query text,Due\nN01-001,基线,生命体征,体重,请核对,2026-12-24\n'
    const question = {
      subject: 'N01-001',
      visit: '基线',
      visitRepeat: '',
      page: '生命体征',
      pageRepeat: '',
      row: '',
      field: '体重',
      text: '请核对',
      due: '2026-12-24',
    }
    expect(linesOf(utf8(chinese)).map(questionOf)).toEqual([question])
    expect(linesOf(utf8(`\uFEFF${english}`)).map(questionOf)).toEqual([question])
    expect(linesOf(utf8(english.replaceAll(',', ';'))).map(questionOf)).toEqual([question])
  })

  test('is read as a Chinese spreadsheet saves it', () => {
    // 受试者编号,质疑内容 / N01,请核对 in GBK.
    const gbk = [
      0xca, 0xdc, 0xca, 0xd4, 0xd5, 0xdf, 0xb1, 0xe0, 0xba, 0xc5, 0x2c, 0xd6, 0xca, 0xd2, 0xc9, 0xc4, 0xda, 0xc8, 0xdd,
      0x0d, 0x0a, 0x4e, 0x30, 0x31, 0x2c, 0xc7, 0xeb, 0xba, 0xcb, 0xb6, 0xd4, 0x0d, 0x0a,
    ]
    expect(linesOf(new Uint8Array(gbk)).map(({ cells }) => [cells.subject, cells.text])).toEqual([['N01', '请核对']])
  })

  test('keeps the numbers of its lines, and says of each whether it is urgent', () => {
    const urgent = ['是', 'YES', '1', '', '否', '0', '尽快']
    const text = ['Subject,Query text,Urgent', '', ...urgent.map((said) => `N01,请核对,${said}`)].join('\n')
    const lines = linesOf(utf8(text))
    expect(lines.map(({ row }) => row)).toEqual([3, 4, 5, 6, 7, 8, 9])
    expect(lines.map(({ isUrgent }) => isUrgent)).toEqual([true, true, true, false, false, false, null])
  })

  test('has words over several lines, and as many as the server can tell to be too many', () => {
    const [line] = linesOf(utf8('Subject,Query text\nN01,"第一行\r\n""第二行"""\n'))
    expect(line?.cells.text).toBe('第一行\n"第二行"')
    const [long] = linesOf(utf8(`Subject,Query text\nN01,${'长'.repeat(3000)}\n`))
    expect(long === undefined ? 0 : questionOf(long).text.length).toBe(2001)
  })

  test('that cannot be read says why', () => {
    expect(problemOf('')).toEqual({ kind: 'empty' })
    expect(problemOf('Subject,Query text\n')).toEqual({ kind: 'empty' })
    expect(problemOf('Visit,Field\nV1,体重\n')).toEqual({ kind: 'columns', missing: ['subject', 'text'] })
    expect(problemOf('Subject,Query text\nN01,"开始\n')).toEqual({ kind: 'not-csv', line: 2 })
    const most = ['Subject,Query text', ...Array.from({ length: 500 }, () => 'N01,请核对')].join('\n')
    expect(problemOf(most)).toBeNull()
    expect(problemOf(`${most}\nN01,请核对`)).toEqual({ kind: 'too-large' })
  })

  test('that was saved here is read again as it was, and runs nothing in a spreadsheet', () => {
    const [line] = linesOf(utf8('Subject,Query text,Field\nN01,=1+1?,体重\n'))
    if (line === undefined) throw new Error('no line')
    const saved = fileOf('zh', [line.cells], { title: '原因', cells: ['没有该受试者'] })
    expect(saved).toContain("'=1+1?")
    expect(saved).toContain('没有该受试者')
    expect(linesOf(utf8(saved)).map(({ cells }) => cells)).toEqual([line.cells])
    expect(readQueryFile(utf8(fileOf('en', [])))).toEqual({ ok: false, problem: { kind: 'empty' } })
  })
})
