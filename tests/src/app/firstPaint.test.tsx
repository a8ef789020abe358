import { screen } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { firstScreen } from '#scripts/lib/firstPaint.ts'
import { PublicFrame } from '#src/screens/login/PublicFrame.tsx'
import { SessionContext } from '#src/session/useSession.ts'
import { show, speak } from '#tests/src/support/screen.tsx'
import { closedSession } from '#tests/src/support/session.ts'

beforeAll(() => speak('zh'))

/** Names and texts of an element, one line each, without the other language. */
function outline(element: Element): string {
  const copy = element.cloneNode(true) as Element
  for (const other of copy.querySelectorAll('[lang="en"]')) other.remove()
  return [copy, ...copy.querySelectorAll('p, ul, li, img')]
    .map((one) => `${one.tagName} ${one.className} ${one.getAttribute('width') ?? ''} ${one.textContent}`)
    .join('\n')
}

test('sign-in takes the place of the first paint without anything that moves: the same claim in the same boxes', () => {
  const before = document.createElement('div')
  before.innerHTML = firstScreen()
  show(
    <SessionContext value={closedSession()}>
      <PublicFrame>{null}</PublicFrame>
    </SessionContext>,
  )
  const [first, then] = [before.querySelector('aside'), screen.getByRole('complementary')]
  expect(first === null ? '' : outline(first)).toBe(outline(then))
})
