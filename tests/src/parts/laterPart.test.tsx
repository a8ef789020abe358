// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { useState } from 'react'
import { beforeAll, expect, test } from 'vitest'
import { laterPart } from '#src/parts/laterPart.tsx'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

interface ToolProps {
  readonly onClose: () => void
}

const Tool = ({ onClose }: ToolProps) => <button onClick={onClose}>收起工具</button>

/** What a browser throws for a module that it cannot fetch. */
const unreachable = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch'))

/** A network that is there or away. */
function partOverNetwork(absent?: ComponentType<ToolProps>) {
  const network = { isThere: false, asked: 0 }
  const Part = laterPart<ToolProps>(() => {
    network.asked += 1
    return network.isThere ? Promise.resolve(Tool) : unreachable()
  }, absent)
  return { network, Part }
}

function Page({ part: Part }: { readonly part: ComponentType<ToolProps> }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <input aria-label="体重" />
      <button onClick={() => setIsOpen(true)}>打开工具</button>
      {isOpen && <Part onClose={() => setIsOpen(false)} />}
    </>
  )
}

const open = () => userEvent.click(screen.getByRole('button', { name: '打开工具' }))

test('a part that cannot be fetched leaves the page and what is typed in it; asked for, it says why it is not there', async () => {
  const { Part } = partOverNetwork(NotLoaded)
  show(<Page part={Part} />)
  await userEvent.type(screen.getByLabelText('体重'), '60')
  await open()
  const said = await screen.findByRole('dialog', { name: '当前离线' })
  expect(said.textContent).toContain('此功能尚未下载到本机')
  await userEvent.click(screen.getAllByRole('button', { name: '关闭' })[0] as HTMLElement)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByLabelText<HTMLInputElement>('体重').value).toBe('60')
})

test('it comes with the network, without being asked for again', async () => {
  const { network, Part } = partOverNetwork()
  show(<Page part={Part} />)
  await open()
  await expect.poll(() => network.asked).toBe(1)
  expect(screen.queryByRole('button', { name: '收起工具' })).toBeNull()
  network.isThere = true
  fireEvent.online(window)
  expect(await screen.findByRole('button', { name: '收起工具' })).toBeTruthy()
})

test('it is asked for again the next time it is opened, and once only when it is there', async () => {
  const { network, Part } = partOverNetwork()
  show(<Page part={Part} />)
  network.isThere = true
  for (const _time of [1, 2, 3]) {
    await open()
    await userEvent.click(await screen.findByRole('button', { name: '收起工具' }))
  }
  expect(network.asked).toBe(1)
})

test('a stylesheet that cannot be fetched counts as the part not being there, and is asked for again with it', async () => {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = '/assets/tool.css'
  document.head.append(link)
  let isThere = false
  const Part = laterPart<ToolProps>(() => {
    if (isThere) return Promise.resolve(Tool)
    fireEvent.error(link)
    return Promise.reject(new Error('Unable to preload CSS'))
  })
  show(<Page part={Part} />)
  await open()
  await expect.poll(() => screen.queryByLabelText('体重')).not.toBeNull()
  isThere = true
  fireEvent.online(window)
  const again = () => [...document.querySelectorAll('link')].find(({ href }) => href === link.href)
  await expect.poll(() => again() !== link).toBe(true)
  fireEvent.load(again() as HTMLLinkElement)
  expect(await screen.findByRole('button', { name: '收起工具' })).toBeTruthy()
})

test('a part that is broken is not passed off as one that is away', async () => {
  const Part = laterPart<ToolProps>(() => Promise.reject(new RangeError('a mistake of ours')))
  const thrown: unknown[] = []
  const note = (event: ErrorEvent) => {
    event.preventDefault()
    thrown.push(event.error)
  }
  window.addEventListener('error', note)
  show(<Page part={Part} />)
  await userEvent.click(screen.getByRole('button', { name: '打开工具' })).catch(() => undefined)
  await expect.poll(() => thrown.some((error) => error instanceof RangeError)).toBe(true)
  window.removeEventListener('error', note)
})
