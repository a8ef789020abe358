import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link, Route, Routes } from 'react-router-dom'
import { beforeAll, expect, test } from 'vitest'
import { PlaceWatch } from '#src/app/PlaceWatch.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

function look(there = <p>那里</p>) {
  show(
    <>
      <Link to="/attention">去</Link>
      <main id="main" tabIndex={-1}>
        <Routes>
          <Route path="/device" element={<p>这里</p>} />
          <Route path="/attention" element={there} />
        </Routes>
      </main>
      <PlaceWatch />
    </>,
    '/device',
  )
}

test('the window is called after where one is, in the language of the reader', async () => {
  look()
  expect(document.title).toBe('本机数据 · 证录')
  await userEvent.click(screen.getByRole('link'))
  expect(document.title).toBe('待处理 · 证录')
  await speak('en')
  await waitFor(() => expect(document.title).toBe('Needs attention · Zhenglu'))
  await speak('zh')
})

test('the focus goes along to the content, and not before one has gone anywhere', async () => {
  look()
  expect(document.activeElement).toBe(document.body)
  await userEvent.click(screen.getByRole('link'))
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test('what took the focus in the content keeps it', async () => {
  // A field that was led to does so.
  // oxlint-disable-next-line jsx-a11y/no-autofocus
  look(<input autoFocus aria-label="收缩压" />)
  await userEvent.click(screen.getByRole('link'))
  expect(document.activeElement).toBe(screen.getByLabelText('收缩压'))
})
