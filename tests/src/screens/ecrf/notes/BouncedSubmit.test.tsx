// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import type { BounceView } from '#src/data/shapes/types.ts'
import { BouncedSubmit } from '#src/screens/ecrf/notes/BouncedSubmit.tsx'
import { VITALS, opened } from '#tests/core/form/filling.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

function shown(bounced: BounceView): readonly string[] {
  const jumps: string[] = []
  show(<BouncedSubmit bounced={bounced} form={opened(VITALS)} language="zh" onJump={(prop) => jumps.push(prop)} />)
  return jumps
}

test('what the server’s check found stands in a box, and each line goes to its field', async () => {
  const jumps = shown({ why: 'invalid', messages: { height: '此项必填', weight: '不能大于 300' } })
  expect(screen.getByRole('heading').textContent).toBe('错误')
  expect(screen.getByText(/^提交错误：/)).toBeTruthy()
  expect(screen.getAllByRole('button').map((line) => line.textContent)).toEqual([
    '身高：此项必填',
    '体重：不能大于 300',
  ])
  await userEvent.click(screen.getByText('体重：不能大于 300'))
  expect(jumps).toEqual(['weight'])
})

test.each([
  ['changed', '他人同时修改了该页，请核对后再次提交。'],
  ['conflict', '内容已保存，但有数据存在冲突，冲突处理后才能提交。'],
  ['unknown', '内容已保存，但尚未提交，请核对后再次提交。'],
] as const)('%s: says why the page is not submitted, without an empty box', (why, words) => {
  shown({ why, messages: {} })
  expect(screen.getByRole('alert').textContent).toBe(words)
  expect(screen.queryByRole('heading')).toBeNull()
})
