import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { err } from '#core/result.ts'
import { ApprovalTable } from '#src/screens/versions/ApprovalTable.tsx'
import type { Approval } from '#src/screens/versions/ApprovalTable.tsx'
import { OwnApproval } from '#src/screens/versions/OwnApproval.tsx'
import type { Session } from '#src/session/types.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

/** What a tester puts their name to, and how it is shown afterwards: whose, when, and what it means (21 CFR 11.50). */

beforeAll(() => speak('zh'))

const AT = '2026-05-06T08:00:00.000Z'
const PASSED = '本人已测试此版本，结论：通过，同意发布。'
const FAILED = '本人已测试此版本，结论：不通过，不同意发布。'

function approval(facts: Partial<Approval>): Approval {
  const trial = { pages: 4, tried: 4, submitted: 4, lastAt: AT }
  return {
    id: 'a1',
    userId: 'u1',
    username: '林检验',
    result: 1,
    content: '全部页面',
    suggest: '无',
    isSign: true,
    signedAt: AT,
    isTester: true,
    trial,
    ...facts,
  }
}

test('each signature says whose it is, when it was given and what it means; who has not signed has none', () => {
  show(
    <ApprovalTable
      approvals={[
        approval({}),
        approval({ id: 'a2', userId: 'u2', username: '吴检验', result: 2 }),
        approval({ id: 'a3', userId: 'u3', username: '何检验', isSign: false, signedAt: null }),
      ]}
    />,
  )
  const signatures = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell').at(-1)?.textContent)
  expect(signatures).toEqual([
    `已签名林检验，${fullTime(AT)}${PASSED}`,
    `已签名吴检验，${fullTime(AT)}${FAILED}`,
    '未签名',
  ])
})

test('the statement is read before the password is given, and follows the judgement', async () => {
  const asked: string[] = []
  const call: Session['call'] = (id) => {
    asked.push(id)
    return Promise.resolve(err({ code: 'offline' }))
  }
  show(
    <AtDesk desk={{ session: { call } }}>
      <OwnApproval
        projectId="p1"
        crfId="c1"
        own={approval({ isSign: false, signedAt: null })}
        onDone={() => undefined}
      />
    </AtDesk>,
  )
  const user = userEvent.setup()
  await user.click(screen.getByRole('radio', { name: '不通过' }))
  await user.click(screen.getByRole('button', { name: '签名' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain(FAILED)
  expect(dialog.textContent).not.toContain(PASSED)
  expect(within(dialog).getByLabelText(/登录密码/)).toBeTruthy()
  expect(asked).toEqual([])
})
