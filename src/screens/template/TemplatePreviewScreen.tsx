import { Button, Select } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import type { TemplateDetail } from '#core/api/calls/template.ts'
import type { Language } from '#core/language.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { FieldIssues } from '#core/form/engine/issue.ts'
import { useServerQuery } from '#src/data/server.ts'
import { BrokenPage } from '#src/form/BrokenPage.tsx'
import { FormErrorBox } from '#src/form/FormErrorBox.tsx'
import { FormView } from '#src/form/FormView.tsx'
import { PreviewSheet, PreviewTools, widthOf } from '#src/form/PreviewTools.tsx'
import type { PageWidth } from '#src/form/PreviewTools.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { dayOf, fullTime } from '#src/ui/words/format.ts'
import { pageNameIn } from '#core/form/definition/inLanguage.ts'

import { previewPage } from './previewPage.ts'
import type { PreviewPage } from './previewPage.ts'

/** A template as people will fill it in: in both languages and each width. Nothing that is entered is stored. */
export function TemplatePreviewScreen() {
  const { id = '' } = useParams()
  const { t, i18n } = useTranslation('template')
  const template = useServerQuery('template.detail', { params: { id } })
  const known = template.state === 'ready' ? template.value : null
  const isEnglish = i18n.language === 'en'
  const [name, remark] =
    known === null
      ? [null, null]
      : isEnglish
        ? [known.nameEn ?? known.name, known.remarkEn ?? known.remark]
        : [known.name, known.remark]
  return (
    <PageFrame
      title={name === null ? t('title') : t('titleOf', { name })}
      wide
      {...(remark === null ? {} : { intro: remark })}
    >
      <Loaded of={template} rows={8}>
        {(loaded) => <Preview key={loaded.id} template={loaded} />}
      </Loaded>
    </PageFrame>
  )
}

function Preview({ template: { folder, nameEn, kind } }: { readonly template: TemplateDetail }) {
  const { t, i18n } = useTranslation('template')
  const [language, setLanguage] = useState<Language>(i18n.language === 'en' ? 'en' : 'zh')
  const [chosenWidth, setWidth] = useState<PageWidth | null>(null)
  const [asked, setAsked] = useState(folder.pages[0]?.pageCode ?? '')
  const [attempt, setAttempt] = useState(0)
  const page = folder.pages.find(({ pageCode }) => pageCode === asked) ?? folder.pages[0]
  const preview = useMemo(() => (page === undefined ? null : previewPage(folder, page.pageCode)), [folder, page])
  const width = chosenWidth ?? widthOf(preview?.compiled.page.look.size, 'vertical')
  const pageName =
    page === undefined
      ? undefined
      : pageNameIn(language, { ...page, pageNameEn: page.pageNameEn ?? (kind === 'page' ? nameEn : null) })
  return (
    <>
      <PreviewTools
        language={language}
        onLanguage={setLanguage}
        width={width}
        onWidth={setWidth}
        onAgain={() => setAttempt(attempt + 1)}
      >
        {folder.pages.length > 1 && (
          <Select
            size="md"
            label={t('page')}
            allowDeselect={false}
            value={page?.pageCode ?? null}
            onChange={(value) => setAsked(value ?? asked)}
            data={folder.pages.map((one) => ({ value: one.pageCode, label: pageNameIn(language, one) }))}
          />
        )}
      </PreviewTools>
      <Note tone="info">{t('notKept')}</Note>
      {preview !== null && preview.withoutRules.length > 0 && (
        <Note tone="warning">{t('withoutRules', { fields: preview.withoutRules.join(', ') })}</Note>
      )}
      <PreviewSheet width={width} language={language} name={pageName}>
        {preview === null ? (
          <BrokenPage />
        ) : (
          <TriedForm key={`${page?.pageCode} ${attempt}`} preview={preview} language={language} />
        )}
      </PreviewSheet>
    </>
  )
}

/** The form of the page, empty, with all its rules running. */
function TriedForm({
  preview: { compiled },
  language,
}: {
  readonly preview: PreviewPage
  readonly language: Language
}) {
  const { t } = useTranslation('template')
  const [form] = useState(() => {
    const now = new Date()
    return createFormState(
      compiled,
      { values: {}, missing: {} },
      { moment: { today: dayOf(now), now: fullTime(now.toISOString()) }, readOnly: false, isNew: true },
    )
  })
  const [issues, setIssues] = useState<readonly FieldIssues[] | null>(null)
  const [focus, setFocus] = useState<{ readonly address: string }>()
  return (
    <>
      {issues !== null &&
        (issues.length === 0 ? (
          <Note tone="done" live>
            {t('sound')}
          </Note>
        ) : (
          <FormErrorBox state={form} issues={issues} language={language} onJump={(address) => setFocus({ address })} />
        ))}
      <FormView state={form} mode="input" language={language} {...(focus === undefined ? {} : { focus })} />
      <Button
        size="md"
        mt="md"
        leftSection={<IconChecks size={18} aria-hidden="true" />}
        onClick={() => setIssues(form.validate())}
      >
        {t('check')}
      </Button>
    </>
  )
}
