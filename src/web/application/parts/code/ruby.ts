import { StreamLanguage } from '@codemirror/language'
import { ruby as mode } from '@codemirror/legacy-modes/mode/ruby'

export const ruby = StreamLanguage.define(mode)
