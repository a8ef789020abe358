import { describe, expect, it } from 'vitest'

import { columnNamed, form, meaning, odm1, read, written } from './files.ts'

/** Items of OpenClinica of which several choices may be taken. */

const REF = (id: string) =>
  `<Question><TranslatedText>Symptoms</TranslatedText></Question><OpenClinica:MultiSelectListRef MultiSelectListID="${id}"/>`
const LIST = `<OpenClinica:MultiSelectList ID="MSL_1" Name="Symptoms" DataType="text" ActualDataType="text">
  <OpenClinica:MultiSelectListItem CodedOptionValue="1"><Decode><TranslatedText>Cough</TranslatedText></Decode></OpenClinica:MultiSelectListItem>
  <OpenClinica:MultiSelectListItem CodedOptionValue="2"><OpenClinica:Decode><OpenClinica:TranslatedText>Fever</OpenClinica:TranslatedText></OpenClinica:Decode></OpenClinica:MultiSelectListItem>
</OpenClinica:MultiSelectList>`
const OPENCLINICA = { root: 'xmlns:OpenClinica="http://www.openclinica.org/ns/odm_ext_v130/v3.1"' }

describe('a list of OpenClinica of which several may be chosen', () => {
  const definition = read(
    odm1(
      form(
        [
          ['S', 'DataType="text" Length="20"', REF('MSL_1')],
          ['T', 'DataType="text"', REF('MSL_9')],
        ],
        LIST,
      ),
      OPENCLINICA,
    ),
  )

  it('becomes check boxes with its choices', () => {
    expect(columnNamed(definition, 'S')).toMatchObject({
      type: 'checkbox',
      label: 'Symptoms',
      dicData: [
        { value: '1', label: 'Cough' },
        { value: '2', label: 'Fever' },
      ],
    })
  })

  it('that is not in the file is told of, and nothing else of it', () => {
    expect(columnNamed(definition, 'T')).toMatchObject({ type: 'input' })
    expect(definition.notCarried.map(({ field, what, why, text }) => [field, what, why, text])).toEqual([
      ['T', 'choices', 'not-defined', 'MSL_9'],
    ])
  })

  it('goes out and comes in again the same', () => {
    expect(meaning(read(written(definition, '1.3.2')))).toEqual(meaning(definition))
  })
})
