import { Button, SegmentedControl } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageSize } from '#core/form/definition/pageLook.ts'

import classes from './preview.module.css'
import type { Language } from './words.ts'

/** Widths of a page (specification §9). */
export const pageWidths = ['vertical', 'horizontal', 'auto'] as const
export type PageWidth = (typeof pageWidths)[number]

/** The width that a page asks for, or a default where it asks for none. */
export function widthOf(size: PageSize | null | undefined, otherwise: PageWidth): PageWidth {
  return size === 'A4-horizontal' ? 'horizontal' : size === 'A4-vertical' ? 'vertical' : otherwise
}

interface PreviewToolsProps {
  readonly language: Language
  readonly onLanguage: (language: Language) => void
  readonly width: PageWidth
  readonly onWidth: (width: PageWidth) => void
  /** Begins again with an empty form; absent where the values stay. */
  readonly onAgain?: () => void
  /** What stands before the tools. */
  readonly children?: ReactNode
}

/** The tools beside a form that is tried out: its language, its width, and the button that empties it. */
export function PreviewTools({ language, onLanguage, width, onWidth, onAgain, children }: PreviewToolsProps) {
  const { t } = useTranslation('form')
  return (
    <div className={classes.tools}>
      {children}
      <SegmentedControl
        size="md"
        aria-label={t('preview.language')}
        value={language}
        onChange={(value) => onLanguage(value === 'en' ? 'en' : 'zh')}
        data={[
          { value: 'zh', label: t('preview.zh') },
          { value: 'en', label: t('preview.en') },
        ]}
      />
      <SegmentedControl
        size="md"
        aria-label={t('preview.width')}
        value={width}
        onChange={(value) => onWidth(pageWidths.find((one) => one === value) ?? 'auto')}
        data={pageWidths.map((value) => ({ value, label: t(`preview.widths.${value}`) }))}
      />
      {onAgain !== undefined && (
        <Button size="md" variant="default" leftSection={<IconEraser size={18} aria-hidden="true" />} onClick={onAgain}>
          {t('preview.again')}
        </Button>
      )}
    </div>
  )
}

interface PreviewSheetProps {
  readonly width: PageWidth
  readonly language: Language
  /** The name of the page, shown above it. */
  readonly name?: string | undefined
  readonly children: ReactNode
}

/** The sheet on which a tried-out form lies. A sheet that is wider than the screen scrolls inside of its frame. */
export function PreviewSheet({ width, language, name, children }: PreviewSheetProps) {
  const { t } = useTranslation('form')
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.desk} aria-label={t('preview.form')} tabIndex={0}>
      <div className={classes.sheet} data-width={width} lang={language === 'en' ? 'en' : 'zh-CN'}>
        {name !== undefined && <h2 className={classes.name}>{name}</h2>}
        {children}
      </div>
    </section>
  )
}
