// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useFocusBack } from '#src/screens/ecrf/files/useFocusBack.ts'

/** The button that begins a drawing goes and comes; who works by keys keeps their place. */

interface ToolsProps {
  readonly isDrawing?: boolean
  /** While what is known of the file is being read the button is not there. */
  readonly isRead?: boolean
}

function Tools({ isDrawing = false, isRead = true }: ToolsProps) {
  const button = useFocusBack(isDrawing)
  return (
    <>
      <input aria-label="note" />
      {isRead && !isDrawing && (
        <button ref={button} type="button">
          draw
        </button>
      )}
    </>
  )
}

const drawButton = () => screen.getByRole('button', { name: 'draw' })

afterEach(cleanup)

test('it has no focus before anybody asked for it', () => {
  render(<Tools />)
  expect(document.activeElement).toBe(document.body)
})

test('after a drawing the focus is on it again', () => {
  const { rerender } = render(<Tools />)
  rerender(<Tools isDrawing />)
  rerender(<Tools />)
  expect(document.activeElement).toBe(drawButton())
})

test('it has the focus again that it had when the file was read anew, however often the screen is drawn', () => {
  const { rerender } = render(<Tools />)
  drawButton().focus()
  rerender(<Tools />)
  rerender(<Tools isRead={false} />)
  rerender(<Tools isRead={false} />)
  rerender(<Tools />)
  expect(document.activeElement).toBe(drawButton())
})

test('whoever is elsewhere meanwhile stays there', () => {
  const { rerender } = render(<Tools />)
  rerender(<Tools isDrawing />)
  screen.getByLabelText('note').focus()
  rerender(<Tools />)
  expect(document.activeElement).toBe(screen.getByLabelText('note'))
})
