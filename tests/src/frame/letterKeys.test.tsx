import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useLetterKeys } from '#src/frame/letterKeys.ts'
import { setPreferences } from '#src/frame/preferences.ts'

/** Single keys that act at once can be switched off by who would set them off unasked. */

let heard: string[] = []
const listen = ({ key }: KeyboardEvent) => heard.push(key)
beforeEach(() => {
  heard = []
  document.addEventListener('keydown', listen)
})
afterEach(() => {
  document.removeEventListener('keydown', listen)
  setPreferences({ letterKeys: true })
})

function App() {
  useLetterKeys()
  return <input aria-label="value" />
}

test('they act unless the user has switched them off; with Ctrl, Enter, Escape and arrows they always do', async () => {
  render(<App />)
  await userEvent.keyboard('j/1')
  expect(heard).toEqual(['j', '/', '1'])
  setPreferences({ letterKeys: false })
  heard = []
  await userEvent.keyboard('jJ/1{Escape}{Enter}{ArrowDown} ')
  expect(heard).toEqual(['Escape', 'Enter', 'ArrowDown', ' '])
  await userEvent.keyboard('{Control>}k{/Control}')
  expect(heard.slice(4)).toEqual(['Control', 'k'])
})

test('what is typed into a box arrives there, also where they are off', async () => {
  render(<App />)
  setPreferences({ letterKeys: false })
  await userEvent.type(screen.getByRole('textbox'), 'jk1')
  expect((screen.getByRole('textbox') as HTMLInputElement).value).toBe('jk1')
  expect(heard).toEqual(['j', 'k', '1'])
})
