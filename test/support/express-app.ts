import express, { type Express, type RequestHandler } from 'express'

/** An application with one handler, for functions that need what Express adds to requests and responses. */
export function appWith(handle: RequestHandler): Express {
  return express().use(handle)
}
