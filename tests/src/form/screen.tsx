import { MantineProvider } from '@mantine/core'
import { cleanup, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { i18n as I18n } from 'i18next'
import i18next from 'i18next'
import { I18nextProvider } from 'react-i18next'
import type { FormState } from '#core/form/engine/engine.ts'
import type { FormEdit } from '#src/form/formActions.ts'
import type { FormViewProps } from '#src/form/FormView.tsx'
import { FormView } from '#src/form/FormView.tsx'
import { common as enCommon } from '#src/i18n/en/common.ts'
import { form as en } from '#src/i18n/en/form.ts'
import { common as zhCommon } from '#src/i18n/zh/common.ts'
import { form as zh } from '#src/i18n/zh/form.ts'

/** A form on a screen for tests, with the browser parts that jsdom does not have. */

export function standInForBrowser(): void {
  window.matchMedia = (query) => ({
    matches: false,
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    dispatchEvent: () => false,
  })
  window.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  Element.prototype.scrollIntoView = () => undefined
}

export const i18n: I18n = i18next.createInstance()
// Given to the form by its provider: what other tests in this worker speak with stays theirs.
await i18n.init({
  lng: 'zh',
  ns: ['form', 'common'],
  defaultNS: 'form',
  resources: { zh: { form: zh, common: zhCommon }, en: { form: en, common: enCommon } },
  interpolation: { escapeValue: false },
})

export function show(state: FormState, more: Partial<FormViewProps> = {}) {
  const edits: FormEdit[] = []
  const view = (props: Partial<FormViewProps>) => (
    <I18nextProvider i18n={i18n}>
      <MantineProvider env="test">
        <FormView
          state={state}
          mode="input"
          language="zh"
          clock={() => '2026-03-01 09:30:00'}
          onEdit={(edit) => edits.push(edit)}
          {...props}
        />
      </MantineProvider>
    </I18nextProvider>
  )
  const { rerender, container } = render(view(more))
  return {
    user: userEvent.setup(),
    edits,
    container,
    update: (props: Partial<FormViewProps>) => rerender(view({ ...more, ...props })),
    cleanup,
  }
}
