// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { useLaterDialog } from '#src/frame/shell/useLaterDialog.tsx'
import type { LaterDialogProps } from '#src/frame/shell/useLaterDialog.tsx'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const Look = ({ opened, onClose }: LaterDialogProps) =>
  opened ? (
    <dialog open aria-label="外观">
      <button onClick={onClose}>关闭外观</button>
    </dialog>
  ) : null

/** A button whose dialog comes over a network that is there or away. */
function buttonOverNetwork() {
  const network = { isThere: false }
  function OpenLook() {
    const look = useLaterDialog(
      // What a browser throws for a module that it cannot fetch.
      () => (network.isThere ? Promise.resolve(Look) : Promise.reject(new TypeError('Failed to fetch'))),
      NotLoaded,
    )
    return (
      <>
        <button onClick={look.open}>打开外观</button>
        {look.dialog}
      </>
    )
  }
  return { network, OpenLook }
}

const tap = () => userEvent.click(screen.getByText('打开外观'))
const closeNote = async () =>
  userEvent.click((await screen.findAllByRole('button', { name: '关闭' }))[0] as HTMLElement)

test('a dialog that cannot be fetched says so each time it is asked for, and opens once it can be', async () => {
  const { network, OpenLook } = buttonOverNetwork()
  show(<OpenLook />)
  for (const _again of [1, 2]) {
    await tap()
    expect((await screen.findByRole('dialog', { name: '当前离线' })).textContent).toContain('此功能尚未下载到本机')
    await closeNote()
    expect(screen.queryByRole('dialog')).toBeNull()
  }
  network.isThere = true
  await tap()
  expect(await screen.findByRole('dialog', { name: '外观' })).toBeTruthy()
  expect(screen.queryByText(/此功能尚未下载到本机/)).toBeNull()
  await userEvent.click(screen.getByText('关闭外观'))
  expect(screen.queryByRole('dialog')).toBeNull()
})
