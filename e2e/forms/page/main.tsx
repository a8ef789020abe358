import '@mantine/core/styles.css'
import '#src/app/tokens.css'
import '#src/app/base.css'

import { MantineProvider } from '@mantine/core'
import i18next from 'i18next'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { MemoryRouter } from 'react-router-dom'

import { compilePage } from '#core/form/compiled/compile.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import { readPage } from '#core/form/definition/page.ts'
import { cssVariables, theme } from '#src/app/theme.ts'
import type { FormEdit } from '#src/form/formActions.ts'
import { FormErrorBox } from '#src/form/FormErrorBox.tsx'
import { FormView } from '#src/form/FormView.tsx'
import { common as enCommon } from '#src/i18n/en/common.ts'
import { form as en } from '#src/i18n/en/form.ts'
import { status as enStatus } from '#src/i18n/en/status.ts'
import { common as zhCommon } from '#src/i18n/zh/common.ts'
import { form as zh } from '#src/i18n/zh/form.ts'
import { status as zhStatus } from '#src/i18n/zh/status.ts'

import { everyField, stored } from '../everyField.ts'
import type { FormPage } from '../formPage.ts'

/**
 * The form alone, as every screen draws it, with what it tells of edits kept for the test.
 * `?lng=en&mode=view&scheme=dark`
 */

const asked = new URLSearchParams(location.search)
const language = asked.get('lng') === 'en' ? 'en' : 'zh'
const i18n = i18next.createInstance()
await i18n.use(initReactI18next).init({
  lng: language,
  ns: ['form', 'status', 'common'],
  defaultNS: 'form',
  resources: {
    zh: { form: zh, status: zhStatus, common: zhCommon },
    en: { form: en, status: enStatus, common: enCommon },
  },
  interpolation: { escapeValue: false },
})
document.documentElement.lang = language === 'en' ? 'en' : 'zh-CN'

const page = readPage(everyField)
if (!page.ok) throw new Error(JSON.stringify(page.error))
const result = compilePage(page.page)
if (!result.ok) throw new Error(JSON.stringify(result.errors))
const moment = { today: '2026-03-01', now: '2026-03-01 09:30:00' }
const state = createFormState(result.compiled, { values: stored, missing: {} }, { moment, readOnly: false })
const edits: FormEdit[] = []

function Page() {
  const [focus, setFocus] = useState<{ readonly address: string }>()
  const [issues, setIssues] = useState<ReturnType<typeof state.validate>>([])
  useEffect(() => {
    const validate = () => setIssues(state.validate())
    addEventListener('validate', validate)
    return () => removeEventListener('validate', validate)
  }, [])
  return (
    <>
      <FormErrorBox state={state} issues={issues} language={language} onJump={(address) => setFocus({ address })} />
      <FormView
        state={state}
        mode={asked.get('mode') === 'view' ? 'view' : 'input'}
        language={language}
        clock={() => moment.now}
        onEdit={(edit) => edits.push(edit)}
        {...(focus === undefined ? {} : { focus })}
      />
    </>
  )
}

const formPage: FormPage = {
  values: () => state.data().values,
  missing: () => state.data().missing,
  takeEdits: () => edits.splice(0),
  validate: () => void dispatchEvent(new Event('validate')),
}
Object.assign(window, { formPage })

const root = document.getElementById('root')
if (root === null) throw new Error('no root')
createRoot(root).render(
  <I18nextProvider i18n={i18n}>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      forceColorScheme={asked.get('scheme') === 'dark' ? 'dark' : 'light'}
    >
      <MemoryRouter>
        <main style={{ maxWidth: 820, margin: '0 auto', padding: 16 }}>
          <h1>{everyField.group?.map(({ label }) => label).join(' · ')}</h1>
          <Page />
        </main>
      </MemoryRouter>
    </MantineProvider>
  </I18nextProvider>,
)
