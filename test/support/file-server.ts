import express, { type Express } from 'express'

/** A file server without any configuration, which serves files below a path. */
export function fileServer(path: string, folder: string): Express {
  return express().use(path, express.static(folder))
}
