import { Checkbox, Group, Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { aboutParts } from '#core/dataset/definition.ts'
import { Panel } from '#src/ui/PageFrame.tsx'

import type { SectionProps } from './section.ts'

/** How tables are made, and what stands in them. */
export function ShapeSection({ definition, put }: SectionProps) {
  const { t } = useTranslation('dataExport')
  const { shape, values, reasons, about, language } = definition
  return (
    <Panel title={t('shape.title')}>
      <Stack gap="md">
        <Radio.Group
          size="md"
          label={t('shape.shape')}
          value={shape}
          onChange={(value) => put({ shape: value === 'flat' ? 'flat' : 'long' })}
        >
          <Stack mt="xs" gap="xs">
            <Radio size="md" value="long" label={t('shape.long')} description={t('shape.longHint')} />
            <Radio size="md" value="flat" label={t('shape.flat')} description={t('shape.flatHint')} />
          </Stack>
        </Radio.Group>
        <Radio.Group
          size="md"
          label={t('shape.values')}
          value={values}
          onChange={(value) => put({ values: value === 'codes' || value === 'labels' ? value : 'both' })}
        >
          <Group mt="xs">
            <Radio size="md" value="both" label={t('shape.valuesBoth')} />
            <Radio size="md" value="codes" label={t('shape.codes')} />
            <Radio size="md" value="labels" label={t('shape.labels')} />
          </Group>
        </Radio.Group>
        <Checkbox
          size="md"
          label={t('shape.reasons')}
          checked={reasons}
          onChange={(event) => put({ reasons: event.currentTarget.checked })}
        />
        <Checkbox.Group
          size="md"
          label={t('shape.about')}
          value={[...about]}
          onChange={(chosen) => put({ about: aboutParts.filter((part) => chosen.includes(part)) })}
        >
          <Group mt="xs">
            {aboutParts.map((part) => (
              <Checkbox key={part} size="md" value={part} label={t(`shape.abouts.${part}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        <Radio.Group
          size="md"
          label={t('shape.language')}
          value={language}
          onChange={(value) => put({ language: value === 'en' ? 'en' : 'zh' })}
        >
          <Group mt="xs">
            <Radio size="md" value="zh" label={t('shape.zh')} />
            <Radio size="md" value="en" label={t('shape.en')} />
          </Group>
        </Radio.Group>
      </Stack>
    </Panel>
  )
}
