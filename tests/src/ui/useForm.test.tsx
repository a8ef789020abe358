// @vitest-environment jsdom
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useTranslation } from 'react-i18next'
import { expect, test } from 'vitest'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useForm } from '#src/ui/useForm.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

function Form() {
  const { t } = useTranslation('gate')
  const form = useForm({
    initialValues: { old: '', fresh: '' },
    validate: { old: () => t('change.required'), fresh: () => t('change.same') },
  })
  return (
    <>
      <button type="button" onClick={() => form.validateField('old')}>
        check
      </button>
      <p data-testid="old">{form.errors['old']}</p>
      <p data-testid="fresh">{form.errors['fresh']}</p>
    </>
  )
}

test('what is wrong with a field is said in the language that is chosen afterwards, and nothing else is found wrong', async () => {
  await speak('zh')
  show(<Form />)
  await userEvent.click(screen.getByRole('button'))
  expect(screen.getByTestId('old').textContent).toBe('必填内容')
  await act(() => speak('en'))
  expect(screen.getByTestId('old').textContent).toBe('Required')
  expect(screen.getByTestId('fresh').textContent).toBe('')
})

test('an answer in the words of the server gives way to words of the chosen language', async () => {
  await speak('zh')
  const error = { code: 'invalid_credentials', message: '账号或密码不正确，还可以试 3 次' } as const
  function Said() {
    return <p>{useErrorText()(error)}</p>
  }
  show(<Said />)
  expect(screen.getByText(/还可以试 3 次/)).toBeTruthy()
  await act(() => speak('en'))
  expect(screen.queryByText(/[\u4E00-\u9FFF]/)).toBeNull()
})
