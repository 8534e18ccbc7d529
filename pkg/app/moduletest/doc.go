// Package moduletest has those tests of modules that need a complete service, in one program: linking the service takes
// as long as most of these tests, and each package of tests links it once more. A file is named after the package that
// it tests: sites_test.go after pkg/sites. Larger packages, such as pkg/images, have theirs beside them.
//
//	go test ./pkg/app/moduletest -run Site
package moduletest
